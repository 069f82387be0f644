import assert from 'node:assert/strict';
import { ConnectionPace } from '#suites/running/connectionPace.ts';

const minuteMs = 60_000;

describe('the pace of a connection', () => {
	it('waits as long as the service asks', () => {
		const pace = new ConnectionPace();
		const waits: number[] = [];
		using _listener = pace.addWaitListener(until => void waits.push(Math.round((until - Date.now()) / minuteMs)));
		assert.equal(pace.onRateLimit(5 * minuteMs, 'busy'), true);
		assert.equal(pace.onRateLimit(8 * minuteMs, 'busy'), true);
		assert.deepEqual(waits, [5, 8]);
	});

	it("doesn't wait longer if the clock is set back", async () => {
		const pace = new ConnectionPace();
		assert.equal(pace.onRateLimit(5, 'busy'), true);
		const { now } = Date;
		Date.now = () => now() - 60 * minuteMs;
		try {
			using _slot = await pace.acquireSlot(1, AbortSignal.timeout(5_000));
		} finally {
			Date.now = now;
		}
	});

	for (const wait of [11 * minuteMs, 365 * 24 * 60 * minuteMs, Number.POSITIVE_INFINITY]) {
		it(`doesn't wait ${wait / minuteMs} minutes, and blocks no other run because of it`, async () => {
			const pace = new ConnectionPace();
			using _listener = pace.addWaitListener(() => assert.fail('waits'));
			assert.equal(pace.onRateLimit(wait, 'busy'), false);
			using _slot = await pace.acquireSlot(1, AbortSignal.timeout(1_000));
		});
	}

	it('runs half as many at once after a rate limit, and one more after each success', async () => {
		const pace = new ConnectionPace();
		/** Takes four slots, returns how many of them were free, and releases them. */
		const countFreeSlots = async (meanwhile = () => {}): Promise<number> => {
			const free: Disposable[] = [];
			const left = new AbortController();
			for (let i = 0; i < 4; i++) {
				pace.acquireSlot(4, left.signal).then(
					slot => free.push(slot),
					() => undefined,
				);
			}
			await new Promise(setImmediate);
			left.abort();
			const count = free.length;
			meanwhile();
			for (const slot of free) {
				slot[Symbol.dispose]();
			}
			return count;
		};
		assert.equal(await countFreeSlots(() => assert.ok(pace.onRateLimit(0, 'busy'))), 4);
		assert.equal(await countFreeSlots(), 2);
		pace.onSuccess();
		assert.equal(await countFreeSlots(), 3);
	});
});
