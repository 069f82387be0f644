import assert from 'node:assert/strict';
import { hashContent } from '#base/files/contentHash.ts';
import type { JudgedOutput } from '#suites/judges/judgedOutputs.ts';
import { type JudgeLabel, JudgeLabels } from '#suites/judges/judgeLabels.ts';
import { orderForReview } from '#suites/judges/reviewOrder.ts';

const judge = { name: 'helpful', model: 'm', key: 'k' };

function createOutput(ordinal: number, score: number, text = String(ordinal)): JudgedOutput {
	return { ordinal, check: 0, judge, output: hashContent(text), passed: score >= 0.5, score };
}

const createLabel = (text: string, label: JudgeLabel['label'], by = 'ana'): JudgeLabel => ({
	case: 'c',
	output: hashContent(text),
	check: 'helpful',
	label,
	by,
	at: '2026-11-27T10:00:00Z',
});

describe('the order of a review', () => {
	it('has unlabeled outputs first, then those that only others labeled, disagreeing, near the threshold, others and skipped ones', () => {
		const outputs = [
			createOutput(0, 0.9),
			createOutput(1, 0.55),
			createOutput(2, 0.9),
			createOutput(3, 0.1),
			createOutput(4, 0.2),
			createOutput(5, 0.8),
		];
		const labels = new JudgeLabels([
			createLabel('0', 'skip'),
			createLabel('1', 'pass'),
			createLabel('2', 'pass'),
			createLabel('3', 'pass'),
			createLabel('4', 'fail', 'ben'),
		]);
		const ordered = orderForReview(outputs, { labels, by: 'ana', getThreshold: () => 0.5 });
		assert.deepEqual(
			ordered.map(({ ordinal }) => ordinal),
			[5, 4, 3, 1, 2, 0],
		);
	});

	it('lists an output of several cases once, and is the same for the results in any order', () => {
		const outputs = Array.from({ length: 40 }, (_, at) => createOutput(at, 0.5, String(at % 20)));
		const options = { labels: new JudgeLabels(), by: 'ana', getThreshold: () => 0.5 };
		const ordered = orderForReview(outputs, options).map(({ output }) => output);
		assert.equal(ordered.length, 20);
		assert.equal(new Set(ordered).size, 20);
		assert.deepEqual(
			orderForReview(outputs.toReversed(), options).map(({ output }) => output),
			ordered,
		);
		assert.notDeepEqual(
			ordered,
			outputs.slice(0, 20).map(({ output }) => output),
		);
	});
});
