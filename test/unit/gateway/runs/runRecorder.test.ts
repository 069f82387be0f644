import assert from 'node:assert/strict';
import { Log } from '#gateway/process/log.ts';
import { RunRecorder } from '#gateway/runs/runRecorder.ts';
import { RunSlots } from '#gateway/runs/runSlots.ts';
import { LateWrites } from '#gateway/store/lateWrites.ts';
import type { RunEnd, RunEventRow } from '#gateway/store/runRows.ts';
import type { RunStore } from '#gateway/store/runStore.ts';
import { StoreFault } from '#gateway/store/storeFault.ts';

const log = new Log('text', () => {});
const end = { status: 'succeeded' } as RunEnd;
const createEvent = (run: number, number: number): RunEventRow => ({ run, number, event: `"${run}.${number}"` });

/** A run store whose writes fail on demand. */
function createFakeRuns(fails: (events: readonly RunEventRow[]) => unknown) {
	const written: string[] = [];
	const ended: number[] = [];
	const write = (events: readonly RunEventRow[]) => {
		const error = fails(events);
		if (error) {
			throw error;
		}
		written.push(...events.map(each => each.event));
	};
	const finish = (seq: number, _end: RunEnd, events: readonly RunEventRow[] = []) => {
		write(events);
		ended.push(seq);
	};
	return { written, ended, runs: { addEvents: write, finishRun: finish, setUnsettledEnd: () => {} } as unknown as RunStore };
}

describe('the run recorder', () => {
	it("keeps the events of other runs if those of one run can't be saved", () => {
		const { runs, written, ended } = createFakeRuns(events => events.some(({ run }) => run === 2) && new Error('string or blob too big'));
		const recorder = new RunRecorder(runs, new LateWrites(log), log);
		for (const each of [createEvent(1, 1), createEvent(2, 1), createEvent(3, 1)]) {
			recorder.add(each);
		}
		assert.throws(() => recorder.finishRun(2, end, [createEvent(2, 2)]), /too big/);
		recorder.stop();
		assert.deepEqual(written, ['"1.1"', '"3.1"']);
		assert.deepEqual(ended, []);
	});

	it('keeps everything while the disk is full, and saves it when there is space', async () => {
		let full = true;
		const { promise: settled, resolve } = Promise.withResolvers<void>();
		const { runs, written, ended } = createFakeRuns(() => full && new StoreFault('disk-full'));
		const late = new LateWrites(log);
		const recorder = new RunRecorder(runs, late, log);
		recorder.add(createEvent(1, 1));
		assert.throws(() => recorder.finishRun(2, end, [createEvent(2, 1)]), StoreFault);
		recorder.settleRunLater(2, { ...end, status: 'failed' });
		late.attemptWrite(() => {
			if (full) {
				throw new StoreFault('disk-full');
			}
			resolve();
		});
		full = false;
		await settled;
		recorder.flushEvents();
		assert.deepEqual(ended, [2]);
		assert.deepEqual(written, ['"1.1"']);
	});
});

describe('run slots', () => {
	it("are released exactly once however a run ends, and a canceled run doesn't wait", async () => {
		const slots = new RunSlots(1);
		const first = slots.enqueueNewRun('a');
		const second = slots.enqueueNewRun('a');
		const third = slots.enqueueNewRun('a');
		assert.equal(slots.wanted, 3);
		second[Symbol.dispose]();
		second[Symbol.dispose]();
		assert.equal(slots.wanted, 2);
		first[Symbol.dispose]();
		first[Symbol.dispose]();
		await third.ready;
		assert.equal(slots.wanted, 1);
		third[Symbol.dispose]();
		assert.equal(slots.wanted, 0);
	});
});
