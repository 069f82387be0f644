import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { filterList } from '#engine/nodes/listFilter.ts';
import { VariablePool } from '#engine/variables/variables.ts';
import { runNodeAlone } from './nodeRun.ts';

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

describe('a list operator', () => {
	const node = { type: 'list-operator', variable: ['start', 'l'] };

	it('sorts by code point, and encodes each text once', async () => {
		const settings = { ...node, order_by: { enabled: true, key: '', value: 'asc' } };
		const short = await runNodeAlone(settings, { l: ['\u{1f600}', '\uff61', 'a'] });
		assert.deepEqual(short.outputs['result'], ['a', '\uff61', '\u{1f600}']);
		const encode = mock.method(Buffer, 'from');
		const long = await runNodeAlone(settings, { l: Array.from({ length: 20_000 }, (_, at) => String((at * 7919) % 20_000)) });
		mock.restoreAll();
		assert.equal((long.outputs['result'] as unknown[]).length, 20_000);
		assert.ok(encode.mock.callCount() < 25_000, String(encode.mock.callCount()));
	});

	it('refuses thousands of conditions on a long list', async () => {
		const filter = { enabled: true, conditions: Array(5_000).fill({ key: '', comparison_operator: 'not empty', value: '' }) };
		const settings = { ...node, filter_by: filter };
		const l = Array.from({ length: 400_000 }, () => 'x');
		assert.match(String((await runNodeAlone(settings, { l })).error), /too many for a list of this size/);
		assert.deepEqual((await runNodeAlone(settings, { l: ['x', ''] })).outputs['result'], ['x']);
	});
});
