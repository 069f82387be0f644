import { isNumber, numberValue, typeName } from './comparisons.ts';
import { formatted } from './filters.ts';
import { floatValue, fromValue, listLike, printed, type RuntimeValue, toValue } from './runtimeValues.ts';

/** Characters or items that a text or list repeated by `*` has at most. */
const maxRepeated = 400_000;

/** Operators that mean something else in Python than in the library. */
export const operators: ReadonlyMap<string, (left: RuntimeValue, right: RuntimeValue) => RuntimeValue> = new Map([
	['+', plus],
	['-', minus],
	['*', times],
	['/', (left, right) => floatValue(quotient('/', left, right, 'division by zero'))],
	['//', (left, right) => numberValue(Math.floor(quotient('//', left, right, 'integer division or modulo by zero')), left, right)],
	['%', modulo],
	['~', (left, right) => fromValue(printed(left) + printed(right))],
]);

/** Numbers are added; texts, and lists, are put together, but not with each other. */
function plus(left: RuntimeValue, right: RuntimeValue): RuntimeValue {
	if (isNumber(left) && isNumber(right)) {
		return numberValue(plain(left) + plain(right), left, right);
	}
	if (left.type === 'StringValue' && right.type === 'StringValue') {
		return fromValue(`${left.value}${right.value}`);
	}
	if (left.type === right.type && (left.type === 'ArrayValue' || left.type === 'TupleValue')) {
		return listLike(left, [...(left.value as RuntimeValue[]), ...(right.value as RuntimeValue[])]);
	}
	throw unsupported('+', left, right);
}

function minus(left: RuntimeValue, right: RuntimeValue): RuntimeValue {
	if (!isNumber(left) || !isNumber(right)) {
		throw unsupported('-', left, right);
	}
	return numberValue(plain(left) - plain(right), left, right);
}

function quotient(operator: string, left: RuntimeValue, right: RuntimeValue, byZero: string): number {
	if (!isNumber(left) || !isNumber(right)) {
		throw unsupported(operator, left, right);
	}
	if (plain(right) === 0) {
		throw new Error(byZero);
	}
	return plain(left) / plain(right);
}

function unsupported(operator: string, left: RuntimeValue, right: RuntimeValue): Error {
	return new Error(`unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`);
}

function times(left: RuntimeValue, right: RuntimeValue): RuntimeValue {
	if (isNumber(left) && isNumber(right)) {
		return numberValue(plain(left) * plain(right), left, right);
	}
	const [value, count] = isNumber(right) ? [left, right] : [right, left];
	if (count.type !== 'IntegerValue' || (value.type !== 'StringValue' && value.type !== 'ArrayValue')) {
		throw unsupported('*', left, right);
	}
	const repeats = Math.max(0, plain(count));
	const single = toValue(value) as string | unknown[];
	if (single.length * repeats > maxRepeated) {
		throw new Error(`what is repeated is over ${maxRepeated} long`);
	}
	return fromValue(typeof single === 'string' ? single.repeat(repeats) : Array.from({ length: repeats }, () => single).flat());
}

/** Fills a text, or gives the rest of a division with the sign of the divisor. */
function modulo(left: RuntimeValue, right: RuntimeValue): RuntimeValue {
	if (left.type === 'StringValue') {
		const values = toValue(right);
		return fromValue(formatted(printed(left), right.type === 'TupleValue' ? (values as unknown[]) : [values]));
	}
	if (!isNumber(left) || !isNumber(right)) {
		throw unsupported('%', left, right);
	}
	const [a, b] = [plain(left), plain(right)];
	if (b === 0) {
		throw new Error('integer modulo by zero');
	}
	return numberValue(((a % b) + b) % b, left, right);
}

function plain(value: RuntimeValue): number {
	return Number(value.value);
}
