import assert from 'node:assert/strict';
import { checkOperation, computeAssigned } from '#engine/variables/assignment.ts';
import { Float } from '#engine/variables/float.ts';
import { toPythonStr } from '#engine/variables/pythonText.ts';
import { getSegmentType } from '#engine/variables/segmentType.ts';
import { toMarkdownText, toPlainText } from '#engine/variables/textForms.ts';
import { VariablePool } from '#engine/variables/variables.ts';
import { runNodeAlone } from '../nodes/nodeRun.ts';

describe('assigner', () => {
	for (const [current, operation, input, expected] of [
		['old', 'over-write', 'new', 'new'],
		['old', 'clear', undefined, ''],
		[5, '+=', 2, 7],
		[5, '-=', 2, 3],
		[5, '*=', 3, 15],
		[5, '/=', 2, 2.5],
		[4, '/=', 2, new Float(2)],
		[2.5, '+=', 1.5, new Float(4)],
		[new Float(4), '-=', 1, new Float(3)],
		[5, 'clear', undefined, 0],
		[true, 'clear', undefined, false],
		[{ a: 1 }, 'clear', undefined, {}],
		[{ a: 1 }, 'set', '{"b": 2}', { b: 2 }],
		[[1], 'append', 2, [1, 2]],
		[[1], 'extend', [2, 3], [1, 2, 3]],
		[[1, 2], 'remove-first', undefined, [2]],
		[[], 'remove-last', undefined, []],
	] as const) {
		it(`${JSON.stringify(current)} ${operation} ${JSON.stringify(input)}`, () =>
			assert.deepEqual(computeAssigned({ operation, type: getSegmentType(current), current }, input), expected));
	}

	it('refuses values of the wrong type', () => {
		const assertValueRefused = (current: unknown, operation: string, input: unknown, type = getSegmentType(current)) =>
			assert.throws(() => computeAssigned({ operation, type, current }, input), { message: `Invalid input value ${toPythonStr(input)}` });
		assertValueRefused(5, '/=', 0);
		assertValueRefused(5, '+=', '2');
		assertValueRefused([1], 'extend', 2);
		assertValueRefused([1], 'extend', ['x']);
		assertValueRefused([], 'append', 'x', 'array[object]');
		assertValueRefused([], 'over-write', [1], 'array[string]');
		assertValueRefused(1, 'over-write', 'x');
		assertValueRefused({}, 'set', '{"a": ');
		assertValueRefused('', 'over-write', null);
		const assertOperationRefused = (type: string, operation: string, inputType: 'variable' | 'constant', message: string) =>
			assert.throws(() => checkOperation({ operation, type }, inputType), { message });
		assertOperationRefused('string', 'append', 'variable', 'Operation append is not supported for type string');
		assertOperationRefused('array[string]', 'set', 'constant', 'Operation set is not supported for type array[string]');
		assertOperationRefused('integer', '+=', 'variable', 'Input type variable is not supported for operation +=');
		assertOperationRefused('array[any]', 'append', 'constant', 'Input type constant is not supported for operation append');
		assertOperationRefused('string', 'clear', 'constant', 'Input type constant is not supported for operation clear');
	});

	it('limits a variable to 200 KB', async () => {
		const item = { variable_selector: ['conversation', 'v'], input_type: 'variable', operation: 'over-write', value: ['start', 'a'] };
		const workflow = { conversation_variables: [{ name: 'v', value_type: 'string', value: '' }] };
		const big = await runNodeAlone({ type: 'assigner', version: '2', items: [item] }, { a: 'x'.repeat(210_000) }, undefined, { workflow });
		assert.match(String(big.error), /larger than 200 KB/);
		const missing = await runNodeAlone(
			{ type: 'assigner', version: '2', items: [{ ...item, value: ['start', 'z'] }] },
			{ a: '' },
			undefined,
			{ workflow },
		);
		assert.equal(missing.error, "Variable ['start', 'z'] not found");
	});
});

describe('list-operator', () => {
	const runListOperator = (settings: object, items: unknown = [3, 1, 2]) =>
		runNodeAlone({ type: 'list-operator', variable: ['conversation', 'l'], ...settings }, {}, undefined, {
			workflow: { conversation_variables: [{ name: 'l', value_type: 'array[number]', value: items }] },
		});

	it("fails beyond the end, and on values that aren't lists", async () => {
		assert.equal(
			(await runListOperator({ extract_by: { enabled: true, serial: '5' } }, [1])).error,
			'Invalid serial index: must be <= 1, got 5',
		);
		assert.equal(
			(await runListOperator({ extract_by: { enabled: true, serial: '0' } })).error,
			'Invalid serial index: must be >= 1, got 0',
		);
		assert.match(String((await runListOperator({}, 'text')).error), /is not an array type/);
		assert.match(String((await runListOperator({ variable: ['ghost', 'l'] })).error), /Variable not found for selector: \['ghost', 'l'\]/);
	});

	it('filters, sorts and limits', async () => {
		const { outputs } = await runListOperator({
			filter_by: { enabled: true, conditions: [{ key: '', comparison_operator: '≥', value: '2' }] },
			order_by: { enabled: true, key: '', value: 'desc' },
			limit: { enabled: true, size: 1 },
		});
		assert.deepEqual(outputs, { result: [3], first_record: 3, last_record: 3 });
	});
});

describe('variable-aggregator', () => {
	it('outputs one value for each group', async () => {
		const { outputs } = await runNodeAlone(
			{
				type: 'variable-aggregator',
				variables: [],
				advanced_settings: {
					group_enabled: true,
					groups: [
						{
							group_name: 'one',
							variables: [
								['ghost', 'x'],
								['start', 'a'],
							],
						},
						{ group_name: 'none', variables: [['ghost', 'x']] },
					],
				},
			},
			{ a: 'A' },
		);
		assert.deepEqual(outputs, { one: { output: 'A' } });
	});
});

describe('texts from values', () => {
	it('write a list of texts as JSON, and any other like Python prints it', () => {
		assert.equal(toPlainText(['ä "q"', 'b']), '["ä \\"q\\"", "b"]');
		assert.equal(toPlainText(['a', 1, null]), "['a', 1, None]");
		assert.equal(toPlainText([1.5, true]), '[1.5, True]');
	});

	it('equal those of the hosted service', () => {
		assert.deepEqual(['x', 1.5, true, null, undefined, [], ['a', "b'c"], { a: [1, null] }].map(toPlainText), [
			'x',
			'1.5',
			'True',
			'',
			'',
			'',
			`["a", "b'c"]`,
			'{"a": [1, null]}',
		]);
		assert.deepEqual([[], ['a', { q: 1 }, [1, 2], null], { a: 1 }, false, null].map(toMarkdownText), [
			'',
			"- a\n- {'q': 1}\n- [1, 2]\n- None",
			'{\n  "a": 1\n}',
			'False',
			'',
		]);
	});
});

describe('variables', () => {
	it('are read through rounds, and changed where they are stored', () => {
		const outer = new VariablePool();
		outer.setAllValues('conversation', { c: 1 });
		outer.setAllValues('n', { o: { k: { v: 2 } } });
		const inner = new VariablePool(outer);
		inner.setAllValues('it', { item: 'x' });
		inner.assignVariable('conversation', 'c', 5);
		assert.deepEqual([inner.get(['n', 'o', 'k', 'v']), inner.get(['it', 'item']), outer.get(['conversation', 'c'])], [2, 'x', 5]);
		assert.deepEqual(
			[outer.get(['it', 'item']), inner.get(['n', 'o', 'constructor']), inner.get(['n'])],
			[undefined, undefined, undefined],
		);
		assert.equal(inner.get(['n', 'toString']), undefined);
	});
});
