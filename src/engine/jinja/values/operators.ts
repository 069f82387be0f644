import { type Float, toFloatValue } from '../../variables/float.ts';
import { formatPercent } from '../methods/formatText.ts';
import { TemplateError } from '../templateError.ts';
import { refuseUndefined } from './comparisons.ts';
import { isFloat, isNumber, toBigInt, toInteger, toNumber } from './numbers.ts';
import { toPrintedText } from './printing.ts';
import { getTypeName, Tuple, type Value } from './values.ts';

/** Maximum length of a string or list repeated with `*`. */
const maxRepeated = 400_000;
/** Maximum bits of an integer power. */
const maxBits = 10_000;

type Numeric = number | bigint | boolean | Float;

export const operators: Readonly<Record<string, (left: Value, right: Value) => Value>> = {
	'+': addValues,
	'-': (left, right) =>
		applyArithmetic(
			'-',
			left,
			right,
			(a, b) => a - b,
			(a, b) => a - b,
		),
	'*': multiplyValues,
	'/': (left, right) => {
		const [a, b] = requireNumbers('/', left, right);
		refuseZeroDivisor(b, 'division by zero');
		return toFloatValue(toNumber(a) / toNumber(b));
	},
	'//': (left, right) => {
		const [a, b] = requireNumbers('//', left, right);
		refuseZeroDivisor(b, isFloat(a) || isFloat(b) ? 'float floor division by zero' : 'integer division or modulo by zero');
		return isFloat(a) || isFloat(b)
			? toFloatValue(Math.floor(toNumber(a) / toNumber(b)))
			: toInteger(floorDivideValues(toBigInt(a), toBigInt(b)));
	},
	'%': computeModulo,
	'**': computePower,
	'~': (left, right) => toPrintedText(left) + toPrintedText(right),
};

/** Evaluates `-x` and `+x`. */
export function applySign(operator: string, value: Value): Value {
	if (!isNumber(value)) {
		refuseUndefined(value);
		throw new TemplateError(`bad operand type for unary ${operator}: '${getTypeName(value)}'`);
	}
	const sign = operator === '-' ? -1 : 1;
	return isFloat(value) ? toFloatValue(sign * toNumber(value)) : toInteger(BigInt(sign) * toBigInt(value));
}

function addValues(left: Value, right: Value): Value {
	if (typeof left === 'string' && typeof right === 'string') {
		return left + right;
	}
	if (Array.isArray(left) && Array.isArray(right) && getTypeName(left) === getTypeName(right)) {
		return left instanceof Tuple ? Tuple.create(...left, ...right) : [...left, ...right];
	}
	return applyArithmetic(
		'+',
		left,
		right,
		(a, b) => a + b,
		(a, b) => a + b,
	);
}

function applyArithmetic(
	operator: string,
	left: Value,
	right: Value,
	ofNumbers: (a: number, b: number) => number,
	ofBigInts: (a: bigint, b: bigint) => bigint,
): Value {
	const [a, b] = requireNumbers(operator, left, right);
	const result = ofNumbers(toNumber(a), toNumber(b));
	if (isFloat(a) || isFloat(b)) {
		return toFloatValue(result);
	}
	return Number.isSafeInteger(result) ? result : toInteger(ofBigInts(toBigInt(a), toBigInt(b)));
}

function multiplyValues(left: Value, right: Value): Value {
	if (isNumber(left) && isNumber(right)) {
		return applyArithmetic(
			'*',
			left,
			right,
			(a, b) => a * b,
			(a, b) => a * b,
		);
	}
	const [value, count] = isNumber(right) ? [left, right] : [right, left];
	if (!isNumber(count) || isFloat(count) || (typeof value !== 'string' && !Array.isArray(value))) {
		throw createUnsupportedError('*', left, right);
	}
	const repeats = Math.max(0, toNumber(count));
	if (value.length * repeats > maxRepeated) {
		throw new TemplateError(`the result is longer than ${maxRepeated} items`);
	}
	if (typeof value === 'string') {
		return value.repeat(repeats);
	}
	const items = Array.from({ length: repeats }, () => [...value]).flat();
	return value instanceof Tuple ? Tuple.create(...items) : items;
}

/** Evaluates `%`: formats a string, or returns the remainder with the divisor's sign. */
function computeModulo(left: Value, right: Value): Value {
	if (typeof left === 'string') {
		return formatPercent(left, right);
	}
	const [a, b] = requireNumbers('%', left, right);
	refuseZeroDivisor(b, 'integer modulo by zero');
	if (isFloat(a) || isFloat(b)) {
		const [x, y] = [toNumber(a), toNumber(b)];
		return toFloatValue(((x % y) + y) % y);
	}
	const [x, y] = [toBigInt(a), toBigInt(b)];
	return toInteger(((x % y) + y) % y);
}

function computePower(left: Value, right: Value): Value {
	const [a, b] = requireNumbers('**', left, right);
	if (toNumber(a) === 0 && toNumber(b) < 0) {
		throw new TemplateError('0.0 cannot be raised to a negative power');
	}
	if (isFloat(a) || isFloat(b) || toNumber(b) < 0) {
		return toFloatValue(toNumber(a) ** toNumber(b));
	}
	if (Math.log2(Math.abs(toNumber(a)) + 1) * toNumber(b) > maxBits) {
		throw new TemplateError(`a power has more than ${maxBits} bits`);
	}
	return toInteger(toBigInt(a) ** toBigInt(b));
}

function floorDivideValues(a: bigint, b: bigint): bigint {
	const quotient = a / b;
	return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function requireNumbers(operator: string, left: Value, right: Value): readonly [Numeric, Numeric] {
	if (!isNumber(left) || !isNumber(right)) {
		throw createUnsupportedError(operator, left, right);
	}
	return [left, right];
}

function refuseZeroDivisor(divisor: Numeric, message: string): void {
	if (toNumber(divisor) === 0) {
		throw new TemplateError(message);
	}
}

function createUnsupportedError(operator: string, left: Value, right: Value): TemplateError {
	refuseUndefined(left);
	refuseUndefined(right);
	return new TemplateError(`unsupported operand type(s) for ${operator}: '${getTypeName(left)}' and '${getTypeName(right)}'`);
}
