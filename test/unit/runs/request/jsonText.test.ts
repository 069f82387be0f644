import assert from 'node:assert/strict';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { parseJsonText } from '#runs/request/jsonText.ts';
import { readSuite } from '#suites/reading/readSuite.ts';

describe('a run file or suite with millions of values', () => {
	const createText = (count: number) => `{"model": "a", "cases": [${'{},'.repeat(count)}{}]}`;

	// a few megabytes would block the editor for seconds while it shows the problem of each value
	it('is refused before it is parsed', () => {
		const { root, fault } = parseJsonText(createText(1_000_000), { comments: true, expected: 'x' }, fillPlaceholders);
		assert.equal(root, undefined);
		assert.equal(fault?.message, 'Too long. Expected at most 1,000,000 JSON values and punctuation marks.');
	});

	it('reports a limited number of problems', async () => {
		const context = { connection: 'c', agents: undefined, takesMocks: true, root: '/w', t: fillPlaceholders };
		const { faults } = await readSuite(createText(100_000), '/w/a.suite.json', context);
		assert.equal(faults.length, 1000);
	});
});
