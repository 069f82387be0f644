import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WorkflowEvent } from '#contract/events.ts';
import { CodeRunner } from '#engine/code/codeRunner.ts';
import type { RecordingSession } from '#engine/recordings/recordingSession.ts';
import { RunRecording } from '#engine/recordings/runRecording.ts';
import type { EngineServices } from '#engine/run/engineTypes.ts';
import { runWorkflow } from '#engine/run/run.ts';
import { toComparableEvents } from '../../../support/comparableEvents.ts';
import type { createTestAgent } from '../run/engineFixture.ts';
import { createRandomAgent, createRandomServices, randomGraphs } from './recordedGraph.ts';
import { openSession, writeCalls } from './recordingFixture.ts';

describe('recorded runs of random graphs', () => {
	it('end alike when they are replayed, without a call', async function () {
		this.timeout(120_000);
		const code = new CodeRunner();
		// the threads of code are shared, because starting them takes longer than the runs
		const run = async (session: RecordingSession, agent: ReturnType<typeof createTestAgent>, services: EngineServices) => {
			const events: WorkflowEvent[] = [];
			const recording = { run: new RunRecording(session, { id: 'r' }), path: '' };
			const ids = { runId: 'run', taskId: 'task', workflowId: 'workflow', appId: 'app', sequenceNumber: 1, files: [], user: 'ana' };
			const inputs = { word: 'tide', items: ['a', 'b', 'a'] };
			const { signal } = new AbortController();
			const options = { ...ids, inputs, signal, recording, emit: (event: WorkflowEvent) => void events.push(event) };
			return { ...(await runWorkflow(agent, options, { ...services, code })), events };
		};
		let succeeded = 0;
		const property = fc.asyncProperty(randomGraphs, async graph => {
			const agent = createRandomAgent(graph);
			const live = createRandomServices();
			const recording = openSession({ mode: 'new' });
			const first = await run(recording, agent, live.services);
			const text = writeCalls(recording.takeCalls().calls);
			const closed = createRandomServices();
			const replay = openSession({ mode: 'none', text });
			const second = await run(replay, agent, closed.services);
			assert.deepEqual(replay.takeCalls().misses, [], text);
			assert.deepEqual(closed.calls, []);
			assert.equal(second.data.status, first.data.status);
			assert.deepEqual(second.data.outputs, first.data.outputs);
			// a run that fails ends its other branches, and how far they got depends on timing
			if (first.data.status === 'succeeded') {
				succeeded++;
				assert.deepEqual(toComparableEvents(second.events), toComparableEvents(first.events));
			}
		});
		await fc.assert(property, { numRuns: 100 }).finally(() => code.close());
		assert.ok(succeeded > 50, `${succeeded} of 100 runs succeeded`);
	});
});
