import { Float } from '../../variables/float.ts';
import { TemplateError } from '../templateError.ts';
import { typeName, type Value } from './values.ts';

/** Whether a value is a number; booleans are. */
export function isNumber(value: Value): value is number | bigint | boolean | Float {
	return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value instanceof Float;
}

export function isFloat(value: Value): boolean {
	return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value));
}

/** Number of a value that {@link isNumber}. */
export function toNumber(value: number | bigint | boolean | Float): number {
	return value instanceof Float ? value.value : Number(value);
}

/** A whole number as a value: beyond 2⁵³ as a bigint. */
export function integer(value: bigint): number | bigint {
	return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

export function toBigInt(value: number | bigint | boolean | Float): bigint {
	return typeof value === 'bigint' ? value : BigInt(Math.trunc(toNumber(value)));
}

/** The number that a filter or function is given. @param name its name, for the message */
export function numberOf(value: Value, name: string): number {
	if (!isNumber(value)) {
		throw new TemplateError(`${name}() takes a number, not '${typeName(value)}'`);
	}
	return toNumber(value);
}

/** The whole number that a filter or function is given. */
export function intOf(value: Value, name: string): number {
	if (!isNumber(value) || isFloat(value)) {
		throw new TemplateError(`${name}() takes whole numbers, not '${typeName(value)}'`);
	}
	return toNumber(value);
}

/** Digits of texts that a filter or method makes longer at most. */
const maxWidth = 10_000;

/** A width to fill a text to; bounded, since no template needs more. */
export function widthOf(value: Value, what: string): number {
	return Math.min(Math.max(0, intOf(value, what)), maxWidth);
}

/** Decimal places between which rounding changes a number other than to itself or to 0. */
const [leastDigits, mostDigits] = [-308, 323];

/** Rounds halves to the even neighbor, as Python does: 2.5 becomes 2. */
export function roundHalfEven(value: number, digits: number): number {
	if (!Number.isFinite(value) || digits > mostDigits) {
		return value;
	}
	if (digits < leastDigits) {
		return 0 * value;
	}
	if (digits > 0) {
		return Number(fixedText(value, digits));
	}
	const factor = 10 ** -digits;
	const scaled = value / factor;
	const floor = Math.floor(scaled);
	const rest = scaled - floor;
	return (rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor) * factor;
}

/** A number with that many digits after the point, of its exact value; halves go to the even neighbor. */
export function fixedText(value: number, digits: number): string {
	const most = Math.min(100, digits);
	return (exactHalf(value, most) ?? value).toFixed(most);
}

/** `toFixed` rounds exact halves up; they are those that a power of two makes whole. */
function exactHalf(value: number, digits: number): number | undefined {
	const scaled = value * 10 ** digits;
	const isHalf = Math.abs(scaled % 1) === 0.5 && Number.isInteger(value * 2 ** (digits + 1));
	const floor = Math.floor(scaled);
	return isHalf ? (floor % 2 === 0 ? floor : floor + 1) / 10 ** digits : undefined;
}
