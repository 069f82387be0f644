import assert from 'node:assert/strict';
import { Problem } from '#base/problems.ts';
import { InspectedRun, type RunSource } from '#editor/runs/inspector/inspectedRun.ts';
import { formatServiceRunKey } from '#runs/serviceRun.ts';

describe('an inspected run of a service', () => {
	it('is lost once the service forgets it, instead of running forever', async () => {
		const details = [{ id: 'r', status: 'running', created_at: 1 }];
		const source = {
			serviceRuns: {
				fetchDetail: async () => details.shift() ?? Promise.reject(new Problem('not-found', 'The service has no such run.')),
				async *readEvents() {},
			},
			connections: { get: () => undefined, toProblem: (_id: string, error: unknown) => error },
			agentFolders: () => [],
			log: { debug() {}, warn: assert.fail, error: assert.fail },
		} as unknown as RunSource;
		const run = new InspectedRun(source, formatServiceRunKey({ connectionId: 'c', agentName: 'a', runId: 'r' }));
		const changed = new Promise<void>(resolve => run.onDidChange(resolve));
		await run.loadRun();
		assert.equal(run.head?.live, true);
		await changed;
		assert.deepEqual([run.head?.live, run.head?.status, run.head?.error], [false, 'lost', 'The service has no such run.']);
		run.dispose();
	});
});
