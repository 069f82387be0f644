import assert from 'node:assert/strict';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { EventWriter } from '#gateway/runs/eventWriter.ts';
import type { RunRecorder } from '#gateway/runs/runRecorder.ts';

describe('EventWriter', () => {
	it("sends all fields of the contract's error event for a run that failed outside its graph", () => {
		const sent: unknown[] = [];
		const recorder = { add() {}, finishRun() {}, settleRunLater() {} } as unknown as RunRecorder;
		const writer = new EventWriter(recorder, 1, new Set([(_event, json) => sent.push(JSON.parse(json))]));
		writer.failRun({ task_id: 't', workflow_run_id: 'r' }, new ServiceFault(500, 'no'));
		assert.deepEqual(sent, [
			{ event: 'error', task_id: 't', workflow_run_id: 'r', message_id: 'r', status: 500, code: 'internal_server_error', message: 'no' },
		]);
	});
});
