import { isDeepStrictEqual } from 'node:util';

/** Tests of Jinja that take a value to compare with; the library knows those without. */
export const testsWithValue: ReadonlyMap<string, (value: unknown, other: unknown) => boolean> = new Map([
	['divisibleby', (value, other) => Number(value) % Number(other) === 0],
	['eq', isDeepStrictEqual],
	['equalto', isDeepStrictEqual],
	['==', isDeepStrictEqual],
	['sameas', isDeepStrictEqual],
	['ne', (value, other) => !isDeepStrictEqual(value, other)],
	['!=', (value, other) => !isDeepStrictEqual(value, other)],
	['lt', (value, other) => order(value, other) < 0],
	['lessthan', (value, other) => order(value, other) < 0],
	['le', (value, other) => order(value, other) <= 0],
	['gt', (value, other) => order(value, other) > 0],
	['greaterthan', (value, other) => order(value, other) > 0],
	['ge', (value, other) => order(value, other) >= 0],
	['in', (value, other) => contains(other, value)],
]);

/** Tests without such a value, for the filters that take the name of one. */
export const simpleTests: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
	['defined', value => value !== undefined],
	['undefined', value => value === undefined],
	['none', value => value === null],
	['odd', value => Math.abs(Number(value) % 2) === 1],
	['even', value => Number(value) % 2 === 0],
	['string', value => typeof value === 'string'],
	['number', value => typeof value === 'number'],
	['boolean', value => typeof value === 'boolean'],
	['mapping', value => typeof value === 'object' && value !== null && !Array.isArray(value)],
	['true', value => value === true],
	['false', value => value === false],
]);

function order(value: unknown, other: unknown): number {
	const [a, b] = [value as number | string, other as number | string];
	return a < b ? -1 : a > b ? 1 : 0;
}

function contains(container: unknown, value: unknown): boolean {
	if (typeof container === 'string') {
		return container.includes(String(value));
	}
	return Array.isArray(container)
		? container.some(item => isDeepStrictEqual(item, value))
		: typeof container === 'object' && container !== null && Object.hasOwn(container, String(value));
}
