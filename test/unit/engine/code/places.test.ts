import assert from 'node:assert/strict';
import { Places } from '#engine/code/places.ts';

const none = new AbortController().signal;

describe('places', () => {
	it('are assigned in the order of requests, even if some requests give up', async () => {
		const places = new Places(1);
		const first = await places.acquirePermit(none);
		const givenUp = new AbortController();
		const order: string[] = [];
		const second = places.acquirePermit(givenUp.signal);
		const third = places.acquirePermit(none).then(place => {
			order.push('third');
			place[Symbol.dispose]();
		});
		const fourth = places.acquirePermit(none).then(() => order.push('fourth'));
		givenUp.abort(new Error('given up'));
		await assert.rejects(second, /given up/);
		first[Symbol.dispose]();
		await Promise.all([third, fourth]);
		assert.deepEqual(order, ['third', 'fourth']);
	});

	it('are returned once, also by a request that gives up when its turn has just come', async () => {
		const places = new Places(1);
		const first = await places.acquirePermit(none);
		const late = new AbortController();
		const second = places.acquirePermit(late.signal);
		first[Symbol.dispose]();
		first[Symbol.dispose]();
		late.abort();
		const place = await second;
		const third = places.acquirePermit(none);
		place[Symbol.dispose]();
		await third;
		let fourth = false;
		void places.acquirePermit(none).then(() => {
			fourth = true;
		});
		await new Promise(setImmediate);
		assert.equal(fourth, false);
	});

	it("aren't assigned after they are closed", async () => {
		const places = new Places(1);
		await places.acquirePermit(none);
		const waiting = places.acquirePermit(none);
		places.close(new Error('closed'));
		await assert.rejects(waiting, /closed/);
		await assert.rejects(places.acquirePermit(none), /closed/);
		await assert.rejects(places.acquirePermit(AbortSignal.abort(new Error('stopped'))), /stopped/);
	});
});
