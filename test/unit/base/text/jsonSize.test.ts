import assert from 'node:assert/strict';
import { tryParseJson } from '#base/text/json.ts';
import { hasTooManyJsonValues } from '#base/text/jsonSize.ts';

describe('the number of values in JSON', () => {
	it('counts values and opening brackets, but nothing in strings, however they are escaped', () => {
		const cases = [
			['[1,2,3]', 3],
			['{"a":[{}]}', 3],
			['["1,2,[{", "\\\\", 3]', 3],
			['["a\\",{,[\\\\\\"", 1]', 2],
			['{"open": "[,,,,,', 1],
		] as const;
		for (const [text, tokens] of cases) {
			assert.deepEqual([hasTooManyJsonValues(text, tokens), hasTooManyJsonValues(text, tokens - 1)], [false, true], text);
		}
	});

	it('takes linear time for strings of escapes and quotes', () => {
		for (const part of ['\\\\', '\\"', '"', '\\']) {
			assert.equal(hasTooManyJsonValues(`["${part.repeat(4_500_000 / part.length)}"]`), false);
		}
	});

	it('limits what is parsed: five million empty objects are not', () => {
		assert.equal(tryParseJson(`[${'{},'.repeat(5_000_000)}{}]`), undefined);
		const text = 'a, [b], {c} '.repeat(1_000_000);
		assert.deepEqual(tryParseJson(JSON.stringify([text])), [text]);
	});
});
