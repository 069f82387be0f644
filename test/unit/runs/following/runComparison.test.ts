import assert from 'node:assert/strict';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { NodeTimes } from '#runs/events/nodeTimes.ts';
import { formatReadableValue } from '#runs/following/readableValue.ts';
import { type ComparedRun, formatComparison } from '#runs/following/runComparison.ts';

const l10n = { t: fillPlaceholders };
const createNode = (title: string, total: number, more: Partial<NodeTimes> = {}): NodeTimes => ({
	title,
	depth: 0,
	statuses: ['succeeded'],
	count: 1,
	total,
	...more,
});
const createRun = (more: Partial<ComparedRun> = {}): ComparedRun => ({
	status: 'succeeded',
	duration: 2000,
	tokens: 400,
	inputs: { text: 'One', sentences: 5 },
	outputs: { summary: 'Short.', words: 3 },
	nodes: new Map([
		['start', createNode('Start', 1)],
		['write', createNode('Write', 1900)],
	]),
	...more,
});

describe('the comparison of two runs', () => {
	it('has one heading per input with any name, and is complete for large runs', () => {
		const names = ['constructor', '__proto__', 'toString', 'a\n# No differences\n'];
		const odd = Object.fromEntries(names.map(name => [name, 'x'.repeat(1_000_000)]));
		const text = formatComparison(createRun({ inputs: {}, outputs: {} }), createRun({ inputs: odd, outputs: {} }), l10n);
		assert.deepEqual([...text.matchAll(/^# .*$/gm)].map(([line]) => line).sort(), [
			'# Input: __proto__',
			'# Input: a # No differences ',
			'# Input: constructor',
			'# Input: toString',
			'# Same in both runs',
		]);
		assert.equal(text.match(/^\(none\)$/gm)?.length, names.length);
		const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, place) => [`name ${place}`, { deep: [place, 'a b. c'] }]));
		const nodes = new Map(Array.from({ length: 200_000 }, (_, place) => [`n${place}`, createNode(`N${place}`, place)]));
		assert.ok(formatComparison(createRun({ inputs: many, nodes }), createRun({ inputs: odd, nodes: new Map() }), l10n).length > 5_000_000);
	});

	it('has no line as long as the longest title or the deepest node that a service reports', () => {
		const nodes = new Map(Array.from({ length: 2000 }, (_, place) => [`n${place}`, createNode(`N${place}`, place, { depth: place })]));
		nodes.set('long', createNode('x'.repeat(1_000_000), 1));
		const text = formatComparison(createRun({ nodes }), createRun({ nodes: new Map() }), l10n);
		assert.ok(text.length < 500_000, `${text.length}`);
		assert.ok(/^ {40}N1999 +2.0 s {2}succeeded$/m.test(text));
	});

	it('shows differences first with values as text, and names what is equal', () => {
		const other = createRun({
			status: 'failed',
			error: 'Line 3: no number',
			duration: 500,
			inputs: { text: 'One', sentences: 3 },
			outputs: {},
			nodes: new Map([
				['start', createNode('Start', 40)],
				['write', createNode('Write', 400, { statuses: ['failed'] })],
				['post', createNode('Post it', 10, { depth: 1 })],
			]),
		});
		assert.equal(
			formatComparison(createRun(), other, l10n),
			`# Result

Status: succeeded
Error: (none)
Duration: 2.0 s

# Input: sentences

5

# Output: summary

Short.

# Output: words

3

# Nodes

Write           1.9 s  succeeded
  Post it  didn't run

# Same in both runs

Tokens: 400
Inputs: text
1 node, in about the same time
`,
		);
		const listHeadings = (text: string) => text.split('\n').filter(line => line.startsWith('#'));
		assert.deepEqual(
			listHeadings(formatComparison(other, createRun(), l10n)),
			listHeadings(formatComparison(createRun(), other, l10n)),
			'both have the same sections in the same order',
		);
	});

	it('reports no differences if only node times differ slightly', () => {
		const other = createRun({
			duration: 2090,
			nodes: new Map([
				['start', createNode('Start', 90)],
				['write', createNode('Write', 2200)],
			]),
		});
		assert.match(
			formatComparison(createRun(), other, l10n),
			/^# No differences\n\n# Same in both runs\n\nStatus: succeeded\nDuration: about 2.0 s\n/,
		);
	});
});

describe('a readable value', () => {
	it('is formatted for any value, however deep and long', () => {
		let deep: unknown = 'x';
		for (let i = 0; i < 1000; i++) {
			deep = [deep];
		}
		assert.match(formatReadableValue(deep, fillPlaceholders), /\[\[\["x"\]\]\]/);
		assert.ok(formatReadableValue('y'.repeat(1_000_000), fillPlaceholders).length <= 100_001);
	});

	for (const [name, value, text] of [
		['a string', 'a\nb', 'a\nb'],
		['undefined', undefined, '(none)'],
		['an empty string', '', '(empty)'],
		['a list', ['a', 2, null], '- a\n- 2\n- null'],
		['an object', { a: 1, b: { c: 'x\ny', d: [] } }, 'a: 1\nb:\n    c:\n        x\n        y\n    d: (no items)'],
		['a long line', `${'word '.repeat(30)}end. Then “this.” And more`, `${'word '.repeat(30)}end.\nThen “this.”\nAnd more`],
	] as const) {
		it(`is formatted without quotes and brackets: ${name}`, () => assert.equal(formatReadableValue(value, fillPlaceholders), text));
	}
});
