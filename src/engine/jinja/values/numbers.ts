import { Float } from '../../variables/float.ts';
import { TemplateError } from '../templateError.ts';
import { getTypeName, type Value } from './values.ts';

/** True if a value is a number. Booleans count as numbers, as in Python. */
export function isNumber(value: Value): value is number | bigint | boolean | Float {
	return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value instanceof Float;
}

export function isFloat(value: Value): boolean {
	return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value));
}

/** Converts a value that {@link isNumber} accepts to a JavaScript number. */
export function toNumber(value: number | bigint | boolean | Float): number {
	return value instanceof Float ? value.value : Number(value);
}

/** Converts a bigint to a number unless it is beyond 2⁵³. */
export function toInteger(value: bigint): number | bigint {
	return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

export function toBigInt(value: number | bigint | boolean | Float): bigint {
	return typeof value === 'bigint' ? value : BigInt(Math.trunc(toNumber(value)));
}

/** Converts an argument of a filter or function to a number. @param name the argument's name, for messages */
export function requireNumber(value: Value, name: string): number {
	if (!isNumber(value)) {
		throw new TemplateError(`${name}() takes a number, not '${getTypeName(value)}'`);
	}
	return toNumber(value);
}

/** Converts an argument of a filter or function to an integer. */
export function requireInteger(value: Value, name: string): number {
	if (!isNumber(value) || isFloat(value)) {
		throw new TemplateError(`${name}() takes whole numbers, not '${getTypeName(value)}'`);
	}
	return toNumber(value);
}

/** Maximum width for filters and methods that pad strings. */
const maxWidth = 10_000;

/** Returns a width for padding strings, at most {@link maxWidth}. */
export function requireWidth(value: Value, what: string): number {
	return Math.min(Math.max(0, requireInteger(value, what)), maxWidth);
}

/** Outside this range of decimal places, rounding a number gives the number itself or 0. */
const [leastDigits, mostDigits] = [-308, 323];

/** Rounds halves to the even neighbor like Python: 2.5 becomes 2. */
export function roundHalfEven(value: number, digits: number): number {
	if (!Number.isFinite(value) || digits > mostDigits) {
		return value;
	}
	if (digits < leastDigits) {
		return 0 * value;
	}
	if (digits > 0) {
		return Number(formatFixed(value, digits));
	}
	const factor = 10 ** -digits;
	const scaled = value / factor;
	const floor = Math.floor(scaled);
	const rest = scaled - floor;
	return (rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor) * factor;
}

/** Formats a number's exact value with this number of decimal places. Halves round to the even neighbor. */
export function formatFixed(value: number, digits: number): string {
	const most = Math.min(100, digits);
	return (roundExactHalf(value, most) ?? value).toFixed(most);
}

/**
 * Rounds an exact half to the even neighbor, because `toFixed` rounds it up. A number is an exact half only if a power of two makes it an
 * integer.
 */
function roundExactHalf(value: number, digits: number): number | undefined {
	const scaled = value * 10 ** digits;
	const isHalf = Math.abs(scaled % 1) === 0.5 && Number.isInteger(value * 2 ** (digits + 1));
	const floor = Math.floor(scaled);
	return isHalf ? (floor % 2 === 0 ? floor : floor + 1) / 10 ** digits : undefined;
}
