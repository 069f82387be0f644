import assert from 'node:assert/strict';
import { formatJson, parseJsonStrings } from '#editor/explorer/documents/prettyJson.ts';

describe('formatted JSON', () => {
	it("isn't shortened below the limit", () => {
		const value = { a: 'x'.repeat(300_000), b: [1, 2] };
		assert.deepEqual(formatJson(value, false), { text: JSON.stringify(value, undefined, 2), cut: false });
	});

	it('shortens only long strings and lists, and says by how much', () => {
		const { text, cut } = formatJson({ long: 'x'.repeat(500_000), list: Array.from({ length: 150 }, (_, n) => n), kept: null }, false);
		const { long, list, kept } = JSON.parse(text) as { long: string; list: unknown[]; kept: null };
		assert.ok(cut);
		assert.equal(long, `${'x'.repeat(2000)}… (characters omitted: 498,000)`);
		assert.deepEqual([list.length, list.at(-1), kept], [101, '… and 50 more', null]);
	});

	it('stays below the limit for values of any shape', () => {
		const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field${n}`, n]));
		assert.ok(formatJson(wide, false).text.length < 410_000);
		assert.ok(formatJson(wide, true).text.length > 1_000_000);
	});

	it('parses objects that are JSON in a string, and nothing else', () => {
		assert.deepEqual(parseJsonStrings({ inputs: '{"a":1}', outputs: '[broken', error: '{}' }, ['inputs', 'outputs']), {
			inputs: { a: 1 },
			outputs: '[broken',
			error: '{}',
		});
	});
});
