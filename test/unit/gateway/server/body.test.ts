import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { readBody } from '#gateway/server/body.ts';

describe('the body of a request', () => {
	const createRequest = () => Object.assign(new EventEmitter(), { headers: {}, complete: true }) as EventEmitter & IncomingMessage;

	it('takes little memory in chunks of a single byte', async () => {
		const request = createRequest();
		const body = readBody(request, 10_000_000);
		const slab = Buffer.from('0123456789'.repeat(6_000));
		const before = process.memoryUsage().heapUsed;
		for (let i = 0; i < 3_000_000; i++) {
			request.emit('data', slab.subarray(i % slab.length, (i % slab.length) + 1));
		}
		const used = process.memoryUsage().heapUsed - before;
		assert.ok(used < 150_000_000, `${Math.round(used / 1_000_000)} MB`);
		request.emit('end');
		assert.ok((await body).equals(Buffer.from('0123456789'.repeat(300_000))));
	});

	it('is joined in order, whatever the lengths of its chunks', async () => {
		const request = createRequest();
		const body = readBody(request, 10_000_000);
		const text = Array.from({ length: 30_000 }, (_, i) => `${i} `).join('');
		for (let at = 0, i = 0; at < text.length; i++) {
			const length = [1, 3, 1_024, 70, 1_023, 5_000][i % 6]!;
			request.emit('data', Buffer.from(text.slice(at, at + length)));
			at += length;
		}
		request.emit('end');
		assert.equal((await body).toString(), text);
	});

	it('is refused when it exceeds its limit', async () => {
		const request = createRequest();
		const body = readBody(request, 9);
		request.emit('data', Buffer.alloc(5));
		request.emit('data', Buffer.alloc(5));
		request.emit('data', Buffer.alloc(5));
		request.emit('end');
		await assert.rejects(body, { status: 413 });
	});
});
