import assert from 'node:assert/strict';
import { scanRecording } from '#contract/recordings/scanRecording.ts';
import { KeptReplies } from '#gateway/recordings/keptReplies.ts';

const key = (digit: string) => `model:${digit.repeat(12)}`;
const createCall = (digit: string, reply: string, parts: readonly { name: string; content: string }[] = []) => ({
	text: `key: ${key(digit)}\nnode: ask\ncall: 1\nreply: ${reply}\n`,
	parts: [...parts],
});

/** Returns the texts of the entries that a fork of a run can replay. */
const listEntries = (kept: KeptReplies, run: string) => scanRecording(kept.readRecording(run).text).map(({ text }) => text);

describe('kept replies', () => {
	it('are inherited by forks, which replace those that they got themselves', () => {
		const kept = new KeptReplies();
		const parent = kept.addRun('parent', 'seed');
		parent.keep(key('a'), 'ask', createCall('a', 'one'));
		parent.keep(key('a'), 'ask', createCall('a', 'two'));
		parent.keep(key('b'), 'ask', createCall('b', 'other'));
		const fork = kept.addRun('fork', 'own seed', 'parent');
		assert.equal(fork.seed, 'seed');
		fork.keep(key('a'), 'ask', createCall('a', 'three'));
		const texts = (run: string) => listEntries(kept, run).map(text => /reply: (.*)/.exec(text)?.[1]);
		assert.deepEqual(texts('parent'), ['one', 'two', 'other']);
		assert.deepEqual(texts('fork'), ['three', 'other']);
		assert.deepEqual([kept.countReplies('parent'), kept.countReplies('fork'), kept.countReplies('unknown')], [3, 2, undefined]);
	});

	it('are measured once each, however often a node asks the same', () => {
		let reads = 0;
		const run = new KeptReplies().addRun('run', 'seed');
		for (let at = 0; at < 1_000; at++) {
			run.keep(key('a'), 'ask', {
				parts: [],
				get text() {
					reads++;
					return 'x';
				},
			});
		}
		assert.ok(reads <= 2_000, String(reads));
	});

	it('contain their large values', () => {
		const kept = new KeptReplies();
		kept.addRun('run', 'seed').keep(key('a'), 'ask', createCall('a', '{ $part: large.txt }', [{ name: 'large.txt', content: 'text' }]));
		const { readPart } = kept.readRecording('run');
		assert.equal(readPart('large.txt'), 'text');
		assert.throws(() => readPart('other.txt'));
	});

	it('of the oldest runs are dropped when there are too many or they are too large, even while these run', () => {
		const kept = new KeptReplies();
		const first = kept.addRun('first', 'seed');
		first.keep(key('a'), 'ask', createCall('a', 'one'));
		for (let i = 0; i < 50; i++) {
			kept.addRun(`run ${i}`, 'seed');
		}
		first.keep(key('b'), 'ask', createCall('b', 'two'));
		assert.deepEqual([kept.countReplies('first'), kept.countReplies('run 0')], [undefined, 0]);
		assert.deepEqual(listEntries(kept, 'first'), []);
		const content = 'x'.repeat(40 * 1024 * 1024);
		kept.addRun('large', 'seed').keep(key('c'), 'ask', createCall('c', 'large', [{ name: 'l', content }]));
		assert.equal(kept.countReplies('large'), 1);
		const larger = kept.addRun('larger', 'seed');
		larger.keep(key('d'), 'ask', createCall('d', 'larger', [{ name: 'l', content }]));
		assert.deepEqual([kept.countReplies('large'), kept.countReplies('larger')], [undefined, 1]);
		larger.keep(key('e'), 'ask', createCall('e', 'larger', [{ name: 'm', content }]));
		assert.equal(kept.countReplies('larger'), undefined);
		kept.addRun('next', 'seed').keep(key('a'), 'ask', createCall('a', 'one'));
		assert.equal(kept.countReplies('next'), 1);
	});
	it('stay for any number of forks of one run, and of forks of forks, because these share them', () => {
		const kept = new KeptReplies();
		const content = 'x'.repeat(20 * 1024 * 1024);
		kept.addRun('parent', 'seed').keep(key('a'), 'ask', createCall('a', 'one', [{ name: 'l', content }]));
		let last = 'parent';
		for (let i = 0; i < 60; i++) {
			kept.addRun(`fork ${i}`, 'own seed', 'parent');
			kept.addRun(`inner ${i}`, 'own seed', last);
			last = `inner ${i}`;
		}
		assert.deepEqual([kept.countReplies('parent'), kept.countReplies('fork 59'), kept.countReplies(last)], [1, 1, 1]);
		assert.equal(kept.addRun('next', 'own seed', 'parent').seed, 'seed');
		for (let i = 0; i < 50; i++) {
			kept.addRun(`other ${i}`, 'seed').keep(key('b'), 'ask', createCall('b', 'two'));
		}
		kept.addRun('large', 'seed').keep(key('c'), 'ask', createCall('c', 'large', [{ name: 'l', content: content.repeat(3) }]));
		assert.deepEqual([kept.countReplies('parent'), kept.countReplies('large'), kept.countReplies('other 49')], [undefined, 1, 1]);
	});
});
