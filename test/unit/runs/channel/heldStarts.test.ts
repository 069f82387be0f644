import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { HeldStarts } from '#runs/channel/heldStarts.ts';

describe('the start lines of nodes', () => {
	let written: string[];
	let starts: HeldStarts;
	beforeEach(() => {
		mock.timers.enable({ apis: ['setTimeout', 'Date'] });
		written = [];
		starts = new HeldStarts((owner, texts) => written.push(...texts.map(text => `${owner} ${'line' in text ? text.line : text.text}`)));
	});
	afterEach(() => {
		starts.dispose();
		mock.timers.reset();
	});

	it('are only written for nodes that take longer than 0.3 s', () => {
		assert.deepEqual(starts.filterTexts('a', [{ line: 'quick', starts: '1' }, { line: 'head' }]), [{ line: 'head' }]);
		mock.timers.tick(200);
		starts.filterTexts('a', [{ line: 'slow', starts: '2' }]);
		starts.filterTexts('b', [{ line: 'other', starts: '1' }]);
		assert.deepEqual(starts.filterTexts('a', [{ line: 'end', ends: '1' }]), [{ line: 'end', ends: '1' }]);
		mock.timers.tick(299);
		assert.deepEqual(written, []);
		mock.timers.tick(1);
		assert.deepEqual(written, ['a slow', 'b other']);
	});

	it('are not written once the text of the node streams, or the run has ended', () => {
		starts.filterTexts('a', [
			{ line: 'writes', starts: '1' },
			{ text: 'Once', lead: '', name: 'writes', ends: '1' },
			{ line: 'stopped', starts: '2' },
		]);
		starts.filterTexts('b', [{ line: 'goes on', starts: '2' }]);
		starts.dropRun('a');
		mock.timers.tick(1000);
		assert.deepEqual(written, ['b goes on']);
	});
});
