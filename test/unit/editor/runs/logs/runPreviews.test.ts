import assert from 'node:assert/strict';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import { RunPreviews } from '#editor/runs/logs/runPreviews.ts';
import type { RunPreview } from '#pages/logs/logsMessages.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';

const createEntry = (id: string) => ({ id, runId: id, agent: 'a' }) as LogEntry;

describe('previews of runs', () => {
	it('are requested once, four at a time, and only for visible runs', async () => {
		const asked: string[] = [];
		const reported: Record<string, RunPreview> = {};
		let running = 0;
		let most = 0;
		let status = 'succeeded';
		const previews = new RunPreviews(
			async ({ id }) => {
				asked.push(id);
				most = Math.max(most, ++running);
				await new Promise(setImmediate);
				running--;
				if (id === 'gone') {
					throw new Error('not found');
				}
				return { status, inputs: `{"text":"${id}","sys.files":[]}`, outputs: { answer: 'yes' } } as unknown as WorkflowRunDetail;
			},
			some => Object.assign(reported, some),
		);
		const many = Array.from({ length: 40 }, (_, place) => createEntry(`r${place}`));
		const first = previews.showPreviews(many);
		await previews.showPreviews([createEntry('r0'), createEntry('gone')]);
		await first;
		assert.ok(asked.length <= 6 && most <= 8, `${asked.length} asked, ${most} at a time`);
		assert.deepEqual(reported['r0'], { inputs: 'r0', outputs: 'yes', final: true });
		assert.deepEqual(reported['gone'], { inputs: '', outputs: '', final: true });
		asked.length = 0;
		await previews.showPreviews([createEntry('r0')]);
		assert.deepEqual(asked, []);
		status = 'running';
		await previews.showPreviews([createEntry('live')]);
		status = 'succeeded';
		await previews.showPreviews([createEntry('live')]);
		assert.deepEqual([asked, reported['live']?.final], [['live', 'live'], true]);
	});
});
