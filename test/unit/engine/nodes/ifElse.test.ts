import assert from 'node:assert/strict';
import { compareByOperator } from '#engine/variables/comparison.ts';
import { toFileValue } from '#engine/variables/fileValue.ts';
import { runNodeAlone } from './nodeRun.ts';

describe('if-else', () => {
	const cases: readonly (readonly [operator: string, actual: unknown, expected: unknown, result: boolean | RegExp])[] = [
		['contains', 'hello', 'ell', true],
		['contains', null, 'x', false],
		['contains', ['a', 'b'], 'b', true],
		['contains', 5, 'x', /Invalid actual value type: string or array/],
		['not contains', '', 'x', true],
		['start with', 'Hello', 'he', false],
		['end with', 'hello', 'lo', true],
		['start with', 5, 'x', /Invalid actual value type: string/],
		['is', 'a', 'a', true],
		['is', null, 'a', false],
		['is not', null, 'a', false],
		['is', 5, '5', /string or boolean/],
		['empty', 0, '', true],
		['empty', [], '', true],
		['empty', {}, '', true],
		['not empty', 'x', '', true],
		['null', null, '', true],
		['not null', '', '', true],
		['in', 'a', ['a', 'b'], true],
		['in', '', ['a'], false],
		['not in', null, ['a'], true],
		['in', 'a', 'abc', /Invalid expected value type: array/],
		['all of', ['a', 'b', 'c'], ['a', 'c'], true],
		['all of', [], ['a'], false],
		['=', 5, '5', true],
		['=', 5, '5.5', /invalid literal for int\(\)/],
		['=', 5.5, '5.5', true],
		['=', null, '5', false],
		['≠', null, '5', false],
		['≠', 6, '5', true],
		['>', 5, '4.5', true],
		['>', 5, 'x', /Cannot convert 'x' to number/],
		['>', true, '0', true],
		['all of', 'green tea', ['tea', 'green'], true],
		['all of', 'green tea', 'tea', /all of operator expects homogeneous list of strings or booleans/],
		['<', null, '5', false],
		['≥', 5, '5', true],
		['≤', 6, '5', false],
		['>', '6', '5', /Invalid actual value type: number/],
		['exists', 'x', '', true],
		['not exists', null, '', true],
		['like', 'a', 'b', /Unsupported operator: like/],
	];
	for (const [operator, actual, expected, result] of cases) {
		it(`${JSON.stringify(actual)} ${operator} ${JSON.stringify(expected)}`, () => {
			if (result instanceof RegExp) {
				assert.throws(() => compareByOperator(operator, actual, expected), result);
			} else {
				assert.equal(compareByOperator(operator, actual, expected), result);
			}
		});
	}

	const files = [
		toFileValue({ type: 'image', transfer_method: 'remote_url', url: 'https://example.invalid/a.png' }),
		toFileValue(
			{ type: 'document', transfer_method: 'local_file', upload_file_id: 'u' },
			{ name: 'b.pdf', mimeType: 'application/pdf', size: 10 },
		),
	];
	const checkFiles = async (operator: string, key: string, inner: string, value: unknown) => {
		const sub = { logical_operator: 'and', conditions: [{ key, comparison_operator: inner, value }] };
		const condition = {
			variable_selector: ['conversation', 'files'],
			comparison_operator: operator,
			value: '',
			sub_variable_condition: sub,
		};
		const { outputs } = await runNodeAlone(
			{ type: 'if-else', cases: [{ case_id: 'true', logical_operator: 'and', conditions: [condition] }], error_strategy: 'none' },
			{},
			undefined,
			{ workflow: { conversation_variables: [{ name: 'files', value_type: 'array[file]', value: files }] } },
		);
		return outputs['result'];
	};

	it('takes less time than the product of the sizes it compares', () => {
		const letters = 'a'.repeat(400_000);
		const values = Array.from({ length: 40_000 }, (_, i) => `value ${i}`);
		const began = process.cpuUsage();
		assert.equal(compareByOperator('contains', letters, `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`), false);
		assert.equal(compareByOperator('all of', values, values.toReversed()), true);
		assert.throws(() => compareByOperator('all of', letters, Array(40_000).fill('aa')), /too many to search for/);
		assert.ok(process.cpuUsage(began).user < 1_000_000);
	});

	it('requires one matching file of a list, or all files if the operator contains "not"', async () => {
		assert.equal(await checkFiles('contains', 'extension', 'is', 'pdf'), true);
		assert.equal(await checkFiles('contains', 'extension', 'is', 'gif'), false);
		assert.equal(await checkFiles('not contains', 'type', 'in', ['video']), false);
		assert.equal(await checkFiles('not contains', 'type', 'not in', ['video']), true);
		assert.equal(await checkFiles('contains', 'type', 'not in', ['image']), false);
		assert.equal(await checkFiles('all of', 'size', '≥', '0'), true);
		assert.equal(await checkFiles('contains', 'name', 'start with', 'a.'), true);
	});

	it('takes the first case that is true, and evaluates no further', async () => {
		const createTextCondition = (selector: string[], value: string) => ({ variable_selector: selector, comparison_operator: 'is', value });
		const { outputs } = await runNodeAlone(
			{
				type: 'if-else',
				error_strategy: 'none',
				cases: [
					{
						case_id: 'first',
						logical_operator: 'and',
						conditions: [createTextCondition(['start', 'a'], 'y'), createTextCondition(['ghost', 'x'], '')],
					},
					{
						case_id: 'second',
						logical_operator: 'or',
						conditions: [createTextCondition(['start', 'a'], '{{#start.b#}}'), createTextCondition(['ghost', 'x'], '')],
					},
				],
			},
			{ a: 'x', b: 'x' },
		);
		assert.deepEqual(outputs, { result: true, selected_case_id: 'second' });
	});

	it('reads a single case at the top level in files of older versions', async () => {
		const { outputs } = await runNodeAlone(
			{
				type: 'if-else',
				error_strategy: 'none',
				logical_operator: 'and',
				conditions: [{ variable_selector: ['start', 'a'], comparison_operator: 'is', value: 'x' }],
			},
			{ a: 'x' },
		);
		assert.deepEqual(outputs, { result: true, selected_case_id: 'true' });
	});
});
