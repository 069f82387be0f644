import { comparisons, isContainedIn, isEqual } from './values/comparisons.ts';
import { isFloat, isNumber, requireNumber } from './values/numbers.ts';
import { operators } from './values/operators.ts';
import { Callable, Dict, Members, Undefined, type Value } from './values/values.ts';

type Test = (value: Value, ...others: Value[]) => boolean;

const createComparisonTest =
	(operator: string): Test =>
	(value, other) =>
		(comparisons[operator] as Test)(value, other ?? new Undefined());
const names: Readonly<Record<string, readonly string[]>> = {
	'==': ['eq', 'equalto', '=='],
	'!=': ['ne', '!='],
	'<': ['lt', 'lessthan', '<'],
	'<=': ['le', '<='],
	'>': ['gt', 'greaterthan', '>'],
	'>=': ['ge', '>='],
};
const isDivisibleBy = (value: Value, by: number) =>
	isEqual((operators['%'] as (a: Value, b: Value) => Value)(requireNumberValue(value), by), 0);

/** Tests by name (`x is divisibleby 3`). */
export const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
	...Object.entries(names).flatMap(([operator, all]) => all.map(name => [name, createComparisonTest(operator)] as const)),
	['in', (value, other) => isContainedIn(value, other ?? new Undefined())],
	['divisibleby', (value, other) => isDivisibleBy(value, requireNumber(other ?? null, 'divisibleby'))],
	['odd', value => !isDivisibleBy(value, 2)],
	['even', value => isDivisibleBy(value, 2)],
	['defined', value => !(value instanceof Undefined)],
	['undefined', value => value instanceof Undefined],
	['none', value => value === null],
	['string', value => typeof value === 'string'],
	['number', isNumber],
	['integer', value => isNumber(value) && !isFloat(value) && typeof value !== 'boolean'],
	['float', isFloat],
	['boolean', value => typeof value === 'boolean'],
	['true', value => value === true],
	['false', value => value === false],
	['mapping', value => value instanceof Dict],
	['sequence', value => typeof value === 'string' || Array.isArray(value) || value instanceof Dict || value instanceof Undefined],
	['iterable', value => typeof value === 'string' || Array.isArray(value) || value instanceof Dict || value instanceof Undefined],
	['callable', value => value instanceof Callable || (value instanceof Members && value.call !== undefined)],
	[
		'sameas',
		(value, other) => value === other || (typeof value !== 'object' && isEqual(value, other ?? null) && typeof value === typeof other),
	],
	['escaped', () => false],
	['lower', value => isUnchangedByCase(value, text => text.toLowerCase())],
	['upper', value => isUnchangedByCase(value, text => text.toUpperCase())],
]);

function requireNumberValue(value: Value): Value {
	return isNumber(value) ? value : requireNumber(value, 'this test');
}

function isUnchangedByCase(value: Value, change: (text: string) => string): boolean {
	return typeof value === 'string' && change(value) === value && value.toLowerCase() !== value.toUpperCase();
}
