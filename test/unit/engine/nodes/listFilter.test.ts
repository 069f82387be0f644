import assert from 'node:assert/strict';
import { filterList } from '#engine/nodes/listFilter.ts';
import { VariablePool } from '#engine/variables/variables.ts';

describe('filtering a list of files', () => {
	const variables = new VariablePool();
	variables.setAllValues('start', { q: `b.txt${'x'.repeat(2_000_000)}`, short: 'b' });
	const createFile = (filename: string) => ({ dify_model_identity: '__dify__file__', filename, type: 'document', url: 'u' });
	const filterNames = (files: readonly object[], operator: string, value: unknown) =>
		filterList(files, 'array[file]', { key: 'name', comparison_operator: operator, value }, variables).map(
			file => (file as { filename: string }).filename,
		);
	const files = ['a.txt', 'b.txt'].map(createFile);

	it('compares members with values of variables', () => {
		assert.deepEqual(filterNames(files, 'contains', '{{#start.short#}}.'), ['b.txt']);
		assert.deepEqual(filterNames(files, 'in', '{{#start.q#}}'), ['b.txt']);
		assert.deepEqual(filterNames(files, 'not in', '{{#start.q#}}'), ['a.txt']);
		assert.throws(() => filterNames(files, 'contains', true), /File filter expects a string value/);
	});

	it('fills a long value once, and refuses to search it for many files', () => {
		const many = Array.from({ length: 2_000 }, (_, i) => createFile(`a name with more than thirty-two letters ${i}`));
		const started = performance.now();
		assert.deepEqual(filterNames(many, 'contains', '{{#start.q#}} {{#start.q#}}'), []);
		assert.throws(() => filterNames(many, 'in', '{{#start.q#}} {{#start.q#}}'), /too many to search for/);
		assert.throws(() => filterNames(many, 'not in', '{{#start.q#}} {{#start.q#}}'), /too many to search for/);
		assert.ok(performance.now() - started < 4_000, `${Math.round(performance.now() - started)} ms`);
	});
});
