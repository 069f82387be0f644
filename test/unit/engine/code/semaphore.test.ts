import assert from 'node:assert/strict';
import { Semaphore } from '#engine/code/semaphore.ts';

const none = new AbortController().signal;

describe('a semaphore', () => {
	it('grants permits in the order of requests, even if some requests give up', async () => {
		const semaphore = new Semaphore(1);
		const first = await semaphore.acquirePermit(none);
		const givenUp = new AbortController();
		const order: string[] = [];
		const second = semaphore.acquirePermit(givenUp.signal);
		const third = semaphore.acquirePermit(none).then(permit => {
			order.push('third');
			permit[Symbol.dispose]();
		});
		const fourth = semaphore.acquirePermit(none).then(() => order.push('fourth'));
		givenUp.abort(new Error('given up'));
		await assert.rejects(second, /given up/);
		first[Symbol.dispose]();
		await Promise.all([third, fourth]);
		assert.deepEqual(order, ['third', 'fourth']);
	});

	it('accepts each permit back only once, even from a request that gives up when its turn has just come', async () => {
		const semaphore = new Semaphore(1);
		const first = await semaphore.acquirePermit(none);
		const late = new AbortController();
		const second = semaphore.acquirePermit(late.signal);
		first[Symbol.dispose]();
		first[Symbol.dispose]();
		late.abort();
		const permit = await second;
		const third = semaphore.acquirePermit(none);
		permit[Symbol.dispose]();
		await third;
		let fourth = false;
		void semaphore.acquirePermit(none).then(() => {
			fourth = true;
		});
		await new Promise(setImmediate);
		assert.equal(fourth, false);
	});

	it('grants no permits after it is closed', async () => {
		const semaphore = new Semaphore(1);
		await semaphore.acquirePermit(none);
		const waiting = semaphore.acquirePermit(none);
		semaphore.close(new Error('closed'));
		await assert.rejects(waiting, /closed/);
		await assert.rejects(semaphore.acquirePermit(none), /closed/);
		await assert.rejects(semaphore.acquirePermit(AbortSignal.abort(new Error('stopped'))), /stopped/);
	});
});
