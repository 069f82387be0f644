import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Log } from '#gateway/process/log.ts';
import { StoreFault } from '#gateway/store/storeFault.ts';
import type { TextCallRow, TextCallStore } from '#gateway/store/textCallStore.ts';
import { CallRecorder } from '#gateway/textGeneration/callRecorder.ts';
import { TextCall } from '#models/calls/textCall.ts';

/** A recorder with a store that records what happens, and throws the first of `faults`. */
function createRecording(faults: Error[] = [], bodies = false) {
	const seen: string[] = [];
	const written: TextCallRow[] = [];
	const store = {
		add: (rows: readonly TextCallRow[]) => {
			const fault = faults.shift();
			if (fault) {
				throw fault;
			}
			seen.push(...rows.map(({ model }) => model));
			written.push(...rows);
		},
		getNewestTime: () => undefined,
		deleteCallsBefore: () => 0,
	} as unknown as TextCallStore;
	return { seen, written, recorder: new CallRecorder(store, { days: 30, bodies }, new Log('text', () => {})) };
}

/** A call whose response is decompressed when `decompressed` resolves. */
function createCompressedCall(model: string, decompressed: Promise<void>): TextCall {
	const call = new TextCall('/v1/messages', model, { user: '', agent: '', run: '' }, false);
	call.end = { status: 200 };
	call.reply.setHeaders({ 'content-encoding': 'gzip' });
	call.reply.readChunks = async () => {
		await decompressed;
		return [];
	};
	return call;
}

describe('the call recorder', () => {
	it('drops the bodies of calls that wait while the store fails, and saves bodies again afterwards', async () => {
		const { written, recorder } = createRecording([new StoreFault('disk-full')], true);
		const addCall = (model: string) => {
			const call = new TextCall('/v1/messages', model, { user: '', agent: '', run: '' }, false);
			call.end = { status: 200 };
			call.request = Buffer.from('body');
			recorder.add(call);
		};
		addCall('before');
		await assert.rejects(recorder.flushCalls(), /disk .* is full/);
		addCall('meanwhile');
		await recorder.flushCalls();
		addCall('after');
		await recorder.stop();
		assert.deepEqual(
			written.map(({ model, request }) => [model, request]),
			[
				['before', null],
				['meanwhile', null],
				['after', 'body'],
			],
		);
	});

	it('waits for another write that still decompresses before it reports that everything is saved', async () => {
		const { seen, recorder } = createRecording();
		const { promise, resolve } = Promise.withResolvers<void>();
		recorder.add(createCompressedCall('slow', promise));
		const first = recorder.flushCalls();
		const second = recorder.flushCalls().then(() => seen.push('all is written'));
		await setImmediate();
		resolve();
		await Promise.all([first, second]);
		await recorder.stop();
		assert.deepEqual(seen, ['slow', 'all is written']);
	});

	it("retries what the store couldn't save in the previous write", async () => {
		const { seen, recorder } = createRecording([new StoreFault('disk-full')]);
		const { promise, resolve } = Promise.withResolvers<void>();
		recorder.add(createCompressedCall('kept', promise));
		const first = recorder.flushCalls();
		const second = recorder.flushCalls();
		resolve();
		await assert.rejects(first, /disk .* is full/);
		await second;
		await recorder.stop();
		assert.deepEqual(seen, ['kept']);
	});
});
