import { formatted } from './filters.ts';
import { floatValue, fromValue, printed, type RuntimeValue, toValue } from './runtimeValues.ts';

/** Characters or items that a text or list repeated by `*` has at most. */
const maxRepeated = 400_000;

/** Operators that mean something else in Python than in the library. */
export const operators: ReadonlyMap<string, (left: RuntimeValue, right: RuntimeValue) => RuntimeValue> = new Map([
	['*', times],
	['%', modulo],
	['~', (left, right) => fromValue(printed(left) + printed(right))],
]);

function times(left: RuntimeValue, right: RuntimeValue): RuntimeValue {
	if (isNumber(left) && isNumber(right)) {
		return numberValue(plain(left) * plain(right), left, right);
	}
	const [value, count] = isNumber(right) ? [left, right] : [right, left];
	if (count.type !== 'IntegerValue' || (value.type !== 'StringValue' && value.type !== 'ArrayValue')) {
		throw new Error(`unsupported operand type(s) for *: ${left.type} and ${right.type}`);
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
		throw new Error(`unsupported operand type(s) for %: ${left.type} and ${right.type}`);
	}
	const [a, b] = [plain(left), plain(right)];
	if (b === 0) {
		throw new Error('integer modulo by zero');
	}
	return numberValue(((a % b) + b) % b, left, right);
}

function numberValue(value: number, ...operands: readonly RuntimeValue[]): RuntimeValue {
	return operands.some(operand => operand.type === 'FloatValue') ? floatValue(value) : fromValue(value);
}

function isNumber(value: RuntimeValue): boolean {
	return value.type === 'IntegerValue' || value.type === 'FloatValue' || value.type === 'BooleanValue';
}

function plain(value: RuntimeValue): number {
	return Number(value.value);
}
