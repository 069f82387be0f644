import assert from 'node:assert/strict';
import { findPythonJsonError } from '#engine/variables/pythonJsonError.ts';

describe("the error of a text that isn't JSON", () => {
	// messages of Python 3.11
	for (const [text, expected] of [
		['{"a": 1}', undefined],
		['[NaN, -Infinity, "é", null]', undefined],
		['', 'Expecting value: line 1 column 1 (char 0)'],
		['{"a": 1}\n x', 'Extra data: line 2 column 2 (char 10)'],
		['{"a": 1,}', 'Expecting property name enclosed in double quotes: line 1 column 9 (char 8)'],
		["{'a': 1}", 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
		['[1,]', 'Expecting value: line 1 column 4 (char 3)'],
		['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
		['{"a": 1 "b": 2}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
		['{"a": "x', 'Unterminated string starting at: line 1 column 7 (char 6)'],
		['{"a": "\n"}', 'Invalid control character at: line 1 column 8 (char 7)'],
		['{"a": "\\q"}', 'Invalid \\escape: line 1 column 8 (char 7)'],
		['{"a": "\\u12"}', 'Invalid \\uXXXX escape: line 1 column 9 (char 8)'],
		['"😀" x', 'Extra data: line 1 column 5 (char 4)'],
	] as const) {
		it(`equals Python's message: ${JSON.stringify(text)}`, () => assert.equal(findPythonJsonError(text), expected));
	}
});
