import assert from 'node:assert/strict';
import { type ParseError, parse } from 'jsonc-parser';
import { appendCase, createCaseFromRun, createSuiteText, getUniqueCaseName, readCaseNames } from '#editor/suites/editing/runCase.ts';

const run = { agent: 'support', inputs: { message: 'Hello' }, status: 'succeeded', outputs: { priority: 'now', facts: { n: 1 } } };

const newCase = { name: 'new', ...createCaseFromRun(run).fields };

describe('a run as a test case', () => {
	it('expects the outputs of the run', () => {
		const made = createCaseFromRun(run);
		assert.deepEqual(made.fields, {
			inputs: { message: 'Hello' },
			expect: [{ status: 'succeeded' }, { output: 'priority', equals: 'now' }, { output: 'facts', equals: { n: 1 } }],
		});
		assert.deepEqual(parse(createSuiteText(made, 'first')), { model: 'support', cases: [{ name: 'first', ...made.fields }] });
	});

	it('is appended without changing anything else in the suite', () => {
		const text = '{\n  // why\n  "model": "support",\n  "cases": [\n    { "name": "old" } // kept\n  ],\n  "repeat": 2\n}\n';
		const added = appendCase(text, newCase);
		assert.deepEqual(readCaseNames(added), ['old', 'new']);
		for (const line of ['  // why', '"repeat": 2']) {
			assert.ok(added.includes(line), line);
		}
		assert.match(added, /\n {4}\{ "name": "old" \}, \/\/ kept\n {4}\{\n {6}"name": "new"/);
	});

	it('becomes the first case of a suite without cases', () => {
		assert.deepEqual(readCaseNames(appendCase('{\n\t"model": "support"\n}\n', newCase)), ['new']);
		assert.deepEqual(readCaseNames(appendCase('{ "cases": [] }', newCase)), ['new']);
	});

	it('is inserted after a trailing comma, and into a list on one line', () => {
		for (const text of ['{ "cases": [{ "name": "old" }] }', '{\n\t"cases": [\n\t\t{ "name": "old" },\n\t]\n}\n']) {
			const added = appendCase(text, newCase);
			const errors: ParseError[] = [];
			parse(added, errors, { allowTrailingComma: false });
			assert.deepEqual(errors, [], added);
			assert.deepEqual(readCaseNames(added), ['old', 'new']);
		}
	});

	it('gets a unique name', () => {
		assert.equal(getUniqueCaseName('a', ['b']), 'a');
		assert.equal(getUniqueCaseName('a', ['a', 'a 2']), 'a 3');
	});
});
