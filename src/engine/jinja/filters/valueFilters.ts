import { toFloatValue } from '../../variables/float.ts';
import { parsePythonFloat } from '../../variables/pythonNumbers.ts';
import { getAttribute } from '../members.ts';
import { defineFunction } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { refuseUndefined } from '../values/comparisons.ts';
import { isFloat, isNumber, requireInteger, requireNumber, roundHalfEven, toBigInt, toInteger, toNumber } from '../values/numbers.ts';
import { toReprText } from '../values/printing.ts';
import { getTypeName, isTruthy, Undefined, type Value } from '../values/values.ts';
import { formatJson } from './jsonText.ts';

/** Filters for numbers, and for values of any type. */
export const valueFilters = [
	...['default', 'd'].map(name =>
		defineFunction(
			name,
			{ default_value: '', boolean: false },
			(value, other, falsy) => (value instanceof Undefined || (isTruthy(falsy as Value) && !isTruthy(value)) ? (other as Value) : value),
			true,
		),
	),
	defineFunction('abs', {}, toAbsolute, true),
	defineFunction('round', { precision: 0, method: 'common' }, roundNumber, true),
	defineFunction('int', { default: 0, base: 10 }, toIntOrDefault, true),
	defineFunction('float', { default: toFloatValue(0) }, (value, other) => toFloatOrDefault(value) ?? (other as Value), true),
	defineFunction('filesizeformat', { binary: false }, formatFileSize, true),
	defineFunction(
		'tojson',
		{ indent: null },
		(value, indent) => formatJson(value, indent === null ? undefined : requireInteger(indent as Value, 'tojson')),
		true,
	),
	defineFunction('attr', { name: undefined }, (value, name) => getAttribute(value, name as Value), true),
	defineFunction('pprint', {}, value => toReprText(value)),
] as const;

function toAbsolute(value: Value): Value {
	refuseUndefined(value);
	if (!isNumber(value)) {
		throw new TemplateError(`bad operand type for abs(): '${getTypeName(value)}'`);
	}
	return isFloat(value) ? toFloatValue(Math.abs(toNumber(value))) : toInteger(toBigInt(value) < 0n ? -toBigInt(value) : toBigInt(value));
}

function roundNumber(value: Value, precision?: Value, method?: Value): Value {
	refuseUndefined(value);
	const number = requireNumber(value, 'round');
	const digits = requireInteger(precision as Value, 'round');
	if (!['common', 'ceil', 'floor'].includes(String(method))) {
		throw new TemplateError('method must be common, ceil or floor');
	}
	if (method === 'common' && !isFloat(value) && digits >= 0) {
		return toInteger(toBigInt(value as bigint));
	}
	if (method === 'common') {
		const rounded = roundHalfEven(number, digits);
		return isFloat(value) ? toFloatValue(rounded) : toInteger(BigInt(Math.trunc(rounded)));
	}
	const factor = 10 ** digits;
	if (factor === 0 || factor === Number.POSITIVE_INFINITY) {
		throw new TemplateError(factor === 0 ? 'float division by zero' : 'int too large to convert to float');
	}
	return toFloatValue((method === 'ceil' ? Math.ceil(number * factor) : Math.floor(number * factor)) / factor);
}

/** Converts a value like Python's `int()`; if that fails, truncates the result of `float()`. */
function toIntOrDefault(value: Value, other?: Value, base?: Value): Value {
	refuseUndefined(value);
	if (typeof value === 'string') {
		return parseInteger(value, requireInteger(base as Value, 'int')) ?? truncateNumber(parsePythonFloat(value)) ?? (other as Value);
	}
	return isNumber(value) ? (truncateNumber(typeof value === 'bigint' ? value : toNumber(value)) ?? (other as Value)) : (other as Value);
}

function truncateNumber(value: number | bigint | undefined): Value | undefined {
	if (typeof value === 'bigint') {
		return value;
	}
	return value !== undefined && Number.isFinite(value) ? toInteger(BigInt(Math.trunc(value))) : undefined;
}

const prefixes: Readonly<Record<number, RegExp>> = { 2: /^0b/i, 8: /^0o/i, 16: /^0x/i };

function parseInteger(text: string, base: number): Value | undefined {
	const [, sign = '', written = ''] = /^\s*([+-]?)(\S+)\s*$/.exec(text) ?? [];
	const digits = written.replace(prefixes[base] ?? /^$/, '').replace(/(?<=[\da-z])_(?=[\da-z])/gi, '');
	if (base < 2 || base > 36 || digits === '') {
		return undefined;
	}
	let whole = 0n;
	for (const digit of digits) {
		const value = /^[\da-z]$/i.test(digit) ? Number.parseInt(digit, 36) : Number.NaN;
		if (!(value < base)) {
			return undefined;
		}
		whole = whole * BigInt(base) + BigInt(value);
	}
	return toInteger(sign === '-' ? -whole : whole);
}

function toFloatOrDefault(value: Value): Value | undefined {
	refuseUndefined(value);
	const number = typeof value === 'string' ? parsePythonFloat(value) : isNumber(value) ? toNumber(value) : undefined;
	return number === undefined ? undefined : toFloatValue(number);
}

function formatFileSize(value: Value, binary?: Value): string {
	refuseUndefined(value);
	const bytes =
		typeof value === 'string'
			? (parsePythonFloat(value) ?? requireNumber(value, 'filesizeformat'))
			: requireNumber(value, 'filesizeformat');
	const isBinary = isTruthy(binary as Value);
	const base = isBinary ? 1024 : 1000;
	if (bytes === 1) {
		return '1 Byte';
	}
	if (bytes < base) {
		return `${Math.trunc(bytes)} Bytes`;
	}
	const units = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
	const power = Math.min(units.findIndex((_, index) => bytes < base ** (index + 2)) + 1 || units.length, units.length);
	const unit = isBinary ? `${units[power - 1]?.toUpperCase()}iB` : `${units[power - 1]}B`;
	return `${(bytes / base ** power).toFixed(1)} ${isBinary && power === 1 ? 'KiB' : unit}`;
}
