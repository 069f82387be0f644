import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ReadDocument } from '#gateway/knowledge/index/documentIndex.ts';
import type { IndexRequest } from '#gateway/knowledge/index/indexThread.ts';
import { RequestThread } from '#gateway/process/requestThread.ts';

describe('the index thread', () => {
	it('starts over if its file turns out to be damaged while it is used', async () => {
		const base = fs.mkdtempSync(path.join(os.tmpdir(), 'index-thread-test-'));
		const folder = path.join(base, 'documents');
		const file = path.join(base, 'index.db');
		fs.mkdirSync(folder);
		for (let number = 0; number < 40; number++) {
			fs.writeFileSync(path.join(folder, `${number}.md`), `radar ${number} ${'gauges and sensors. '.repeat(500)}`);
		}
		const createThread = () =>
			new RequestThread<IndexRequest>({
				code: new URL('../../../../../src/gateway/knowledge/index/indexThread.ts', import.meta.url),
				workerData: file,
				memoryMb: 256,
				name: 'The thread',
			});
		const updateIndex = async (thread: ReturnType<typeof createThread>) => {
			await thread.sendRequest({ kind: 'scan', folder });
			let read = 0;
			for (;;) {
				const next = await thread.sendRequest<ReadDocument | 'more' | undefined>({ kind: 'next', folder });
				if (next === undefined) {
					return read;
				}
				if (next !== 'more') {
					read++;
					await thread.sendRequest({ kind: 'put', document: next, read: { text: Buffer.from(next.bytes).toString() } });
				}
			}
		};
		const first = createThread();
		assert.equal(await updateIndex(first), 40);
		await first.stop();
		new DatabaseSync(file).close();
		// pages with texts are damaged, but not those that are read when the file is opened
		const bytes = fs.readFileSync(file);
		for (let page = 0; page < bytes.length; page += 16_384) {
			if (bytes.subarray(page, page + 16_384).includes('gauges and sensors')) {
				bytes.fill(0xee, page, page + 16_384);
			}
		}
		fs.writeFileSync(file, bytes);
		const thread = createThread();
		const query = {
			folders: [folder],
			text: 'radar',
			vectors: [],
			weights: undefined,
			filter: undefined,
			scoreThreshold: 0,
			limit: 10,
		};
		const findSegments = () => thread.sendRequest<{ segments: unknown[] }>({ kind: 'find', query });
		try {
			assert.equal(await updateIndex(thread), 0);
			await assert.rejects(findSegments(), /The index of documents was damaged\. They are read again now/);
			assert.equal(await updateIndex(thread), 40);
			assert.equal((await findSegments()).segments.length, 10);
		} finally {
			await thread.stop();
			fs.rmSync(base, { recursive: true });
		}
	});
});
