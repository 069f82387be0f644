import assert from 'node:assert/strict';
import { calculateExpression } from '#engine/tools/calculator.ts';
import type { ToolContext } from '#engine/tools/engineTool.ts';

const context = {} as ToolContext;
const getResult = async (expression: unknown) => (await calculateExpression({ expression }, context)).text;

describe('the calculator', () => {
	for (const [expression, expected] of [
		['12 * (3 + 4)', '84'],
		['-2 ** 2', '-4'],
		['2 ** -1', '0.5'],
		['2 ^ 3 ^ 2', '512'],
		['7 // 2 + -7 // 2', '-1'],
		['-7 % 3', '2'],
		['1_000 / 8', '125'],
		['sqrt(16) + max(1, 2, 3)', '7'],
		['math.pi', String(Math.PI)],
		['round(2.345, 2)', '2.35'],
		['round(1 / 10**7, 2) + round(10**21)', '1e+21'],
		['2 ** 53 - 1', '9007199254740991'],
		['2 ** 64', '1.8446744073709552e+19'],
		['3 × 4 ÷ 2', '6'],
		['.5 + 1e3', '1000.5'],
	] as const) {
		it(`evaluates ${expression}`, async () => assert.equal(await getResult(expression), expected));
	}

	for (const [expression, reason] of [
		['', /expected an expression/],
		['1 +', /it ends too early/],
		['1 / 0', /can't divide by zero/],
		['sqrt(-1)', /isn't a number/],
		['process.exit()', /unexpected 'process'/],
		['constructor', /unexpected 'constructor'/],
		['__proto__', /unexpected '_'/],
		['toString(1)', /unexpected 'toString'/],
		['('.repeat(900), /more than 50 levels/],
		['-'.repeat(900), /more than 50 levels/],
		['1'.repeat(1001), /1 to 1000 characters/],
	] as const) {
		it(`refuses ${expression.slice(0, 20)}`, async () => {
			await assert.rejects(async () => getResult(expression), reason);
		});
	}
});
