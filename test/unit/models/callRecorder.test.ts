import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { Log } from '../../../src/gateway/log.ts';
import { CallRecorder } from '../../../src/gateway/models/calls/callRecorder.ts';
import { TextCall } from '../../../src/gateway/models/calls/textCall.ts';
import type { TextCallRow, TextCallStore } from '../../../src/gateway/store/textCallStore.ts';

describe('the recorder of calls', () => {
	it('has written a reply that is being decompressed before it is looked at, or ends', async () => {
		const rows: TextCallRow[] = [];
		const store: Pick<TextCallStore, 'add' | 'deleteBefore'> = { add: more => void rows.push(...more), deleteBefore: () => 0 };
		const recorder = new CallRecorder(store as TextCallStore, { days: 1, bodies: false }, new Log('text', () => {}));
		const compressed = () => {
			const call = new TextCall('/v1/chat/completions', 'm', { user: '', agent: '', run: '' }, false);
			call.reply.begin({ 'content-encoding': 'gzip' });
			call.reply.add(zlib.gzipSync('{"usage":{"prompt_tokens":7,"completion_tokens":3}}'));
			call.finish({ status: 200 });
			return call;
		};
		recorder.add(compressed());
		const first = recorder.flush();
		await recorder.flush();
		assert.deepEqual([rows.length, rows[0]?.input_tokens], [1, 7]);
		await first;
		recorder.add(compressed());
		void recorder.flush();
		await recorder.stop();
		assert.equal(rows.length, 2);
	});
});
