import assert from 'node:assert/strict';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import { type DeploymentDrafts, RunServices } from '#editor/runs/following/runServices.ts';
import { ServiceRuns, toRunRecord } from '#editor/runs/following/serviceRuns.ts';
import { RecordedLog } from '../../../../support/editor/connectionsUnderTest.ts';

const of = { connectionId: 'c', agentName: 'a', runId: 'r' };
const started = { event: 'workflow_started', data: { id: 'r', created_at: 1 } };

const noDrafts = {} as DeploymentDrafts;

/** Creates the runs of a service that sends some events, then only pings until the client disconnects. */
function createStallingRuns(quietMs: number) {
	const reported = { left: false };
	async function* followRun(_id: string, _query: object, { signal }: { signal: AbortSignal }) {
		yield started;
		while (!signal.aborted) {
			yield { event: 'ping' };
			await new Promise(resolve => setTimeout(resolve, 1));
		}
		reported.left = true;
		throw new Error('aborted');
	}
	const connections = { getClient: async () => ({ followRun }), get: () => undefined } as unknown as Connections;
	return { runs: new ServiceRuns(connections, new RunServices(connections, noDrafts), new RecordedLog().channel, quietMs), reported };
}
const createRecord = (status: string) => toRunRecord(of, { id: 'r', status, created_at: 1 } as unknown as WorkflowRunDetail);

describe('events from a service that keeps the stream open', () => {
	for (const status of ['succeeded', 'failed', 'paused']) {
		it(`end after a pause for an inactive run (${status})`, async () => {
			const { runs, reported } = createStallingRuns(20);
			const events: unknown[] = [];
			for await (const entry of runs.readEvents(of, createRecord(status))) {
				events.push('event' in entry && entry.event.event);
			}
			assert.deepEqual([events, reported.left], [['workflow_started'], true]);
		});
	}

	it('end with a note at a limit, because a service may send events forever', async () => {
		let isLeft = false;
		async function* followRun() {
			try {
				for (;;) {
					yield { event: 'text_chunk', data: { text: 'x'.repeat(1_000_000) } };
				}
			} finally {
				isLeft = true;
			}
		}
		const connections = { getClient: async () => ({ followRun }), get: () => undefined } as unknown as Connections;
		const runs = new ServiceRuns(connections, new RunServices(connections, noDrafts), new RecordedLog().channel);
		let [events, last]: [number, unknown] = [0, undefined];
		for await (const entry of runs.readEvents(of, createRecord('running'))) {
			events += 'event' in entry ? 1 : 0;
			last = 'note' in entry ? entry.note : undefined;
			assert.ok(events < 100);
		}
		assert.deepEqual([events, last, isLeft], [67, 'The journal ends here because it reached its limit of 64 MB.', true]);
	});

	it("don't end while the run is active, unless the caller aborts", async () => {
		const { runs, reported } = createStallingRuns(5);
		const looks = new AbortController();
		const events = runs.readEvents(of, createRecord('running'), looks.signal);
		await events.next();
		const next = events.next();
		const first = await Promise.race([next.then(() => 'ended'), new Promise(resolve => setTimeout(resolve, 50, 'waits'))]);
		assert.equal(first, 'waits');
		looks.abort();
		assert.deepEqual([(await next).done, reported.left], [true, true]);
	});
});
