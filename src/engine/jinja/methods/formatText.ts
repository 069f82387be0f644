import type { Float } from '../../variables/float.ts';
import { TemplateError } from '../templateError.ts';
import { formatFixed, isFloat, isNumber, requireWidth, toBigInt, toNumber } from '../values/numbers.ts';
import { toPrintedText, toReprText } from '../values/printing.ts';
import { type Arguments, Dict, getTypeName, Tuple, type Value } from '../values/values.ts';

type Numeric = number | bigint | boolean | Float;

/** Formats `'%s is %5.2f'` and `'%(name)s'` like Python's `%`. Supports `%s`, `%r`, `%d`, `%f`, `%e`, `%x`, `%o`, `%c` and `%%`. */
export function formatPercent(text: string, given: Value): string {
	const values = given instanceof Tuple ? given : [given];
	let next = 0;
	const filled = text.replace(
		/%(?:\(([^()%]*)\))?([-+0 #]*)([1-9]\d*|\*)?(?:\.(\d+|\*))?([a-zA-Z%])?/g,
		(whole, key: string | undefined, flags: string, width: string | undefined, precision: string | undefined, kind: string | undefined) => {
			if (kind === '%') {
				return '%';
			}
			if (!kind || !'sridufFeEgGxXoc'.includes(kind)) {
				throw new TemplateError(`unsupported format '${whole}'`);
			}
			const takeArgument = () => {
				if (next >= values.length) {
					throw new TemplateError('not enough arguments for format string');
				}
				return values[next++] as Value;
			};
			const size = requireWidth(width === '*' ? takeArgument() : Number(width ?? 0), '%');
			const digits = precision === undefined ? undefined : requireWidth(precision === '*' ? takeArgument() : Number(precision), '%');
			const value =
				key === undefined ? takeArgument() : given instanceof Dict ? (given.get(key) ?? throwMissingKey(key)) : throwMissingKey(key);
			let field = formatPercentField(kind, value, digits);
			const isText = 'src'.includes(kind);
			if (!isText && !field.startsWith('-') && /[+ ]/.test(flags)) {
				field = (flags.includes('+') ? '+' : ' ') + field;
			}
			if (flags.includes('-')) {
				return field.padEnd(size);
			}
			return flags.includes('0') && !isText ? padZeros(field, size) : field.padStart(size);
		},
	);
	if (next < values.length && !(given instanceof Dict)) {
		throw new TemplateError('not all arguments converted during string formatting');
	}
	return filled;
}

function throwMissingKey(key: string): never {
	throw new TemplateError(`the values to format have no '${key}'`);
}

function padZeros(field: string, size: number): string {
	const [, sign = '', digits = ''] = /^([-+ ]?)([\s\S]*)$/.exec(field) ?? [];
	return sign + digits.padStart(size - sign.length, '0');
}

function formatPercentField(kind: string, value: Value, digits: number | undefined): string {
	if (kind === 's' || kind === 'r') {
		const text = kind === 's' ? toPrintedText(value) : toReprText(value);
		return digits === undefined ? text : [...text].slice(0, digits).join('');
	}
	if (kind === 'c') {
		return typeof value === 'string' ? value : String.fromCodePoint(toNumber(requireNumeric(kind, value)));
	}
	return formatNumberField('diu'.includes(kind) ? 'd' : kind, requireNumeric(kind, value), digits);
}

function requireNumeric(kind: string, value: Value): Numeric {
	if (!isNumber(value)) {
		throw new TemplateError(`%${kind} format: a number is required, not ${getTypeName(value)}`);
	}
	return value;
}

/** Formats a number by one of the type characters of `%` and `format`. */
function formatNumberField(kind: string, value: Numeric, digits: number | undefined): string {
	const number = toNumber(value);
	const most = Math.min(digits ?? 6, 100);
	switch (kind) {
		case 'd':
			return String(isFloat(value) ? BigInt(Math.trunc(number)) : toBigInt(value));
		case 'f':
		case 'F':
			return formatFixed(number, most);
		case 'e':
		case 'E': {
			const text = padExponent(number.toExponential(most));
			return kind === 'E' ? text.toUpperCase() : text;
		}
		case 'g':
		case 'G': {
			const text = formatSignificantDigits(number, Math.max(1, most));
			return kind === 'G' ? text.toUpperCase() : text;
		}
		case 'x':
			return toBigInt(value).toString(16);
		case 'X':
			return toBigInt(value).toString(16).toUpperCase();
		case 'o':
			return toBigInt(value).toString(8);
		case 'b':
			return toBigInt(value).toString(2);
		default:
			throw new TemplateError(`Unknown format code '${kind}'`);
	}
}

/** Formats a number without trailing zeros, with an exponent if it is below 0.0001 or has more digits before its point. */
function formatSignificantDigits(number: number, digits: number): string {
	const text = number.toExponential(digits - 1);
	const exponent = Number(text.split('e')[1]);
	const shown = exponent >= -4 && exponent < digits ? number.toPrecision(digits) : text;
	const [mantissa = '', power] = shown.split('e');
	const trimmed = mantissa.includes('.') ? trimZeros(mantissa) : mantissa;
	return padExponent(power === undefined ? trimmed : `${trimmed}e${power}`);
}

/** Removes zeros at the end of a number with a point, and the point if no digit follows it. */
function trimZeros(text: string): string {
	let end = text.length;
	while (text[end - 1] === '0') {
		end--;
	}
	return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** Gives an exponent two digits. */
function padExponent(text: string): string {
	return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Formats `'{} of {1:>5} {name!r:.2f}'` like Python's `format`. */
export function formatBraces(text: string, { positional, named }: Arguments): string {
	let next = 0;
	return text.replace(
		/\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::([^{}]*))?\}/g,
		(whole, field?: string, conversion?: string, spec?: string) => {
			if (whole === '{{' || whole === '}}') {
				return whole[0] as string;
			}
			const name = field ?? '';
			const end = name.search(/[.[]/);
			const [head, path] = end < 0 ? [name, ''] : [name.slice(0, end), name.slice(end)];
			const start = head === '' ? positional[next++] : /^\d+$/.test(head) ? positional[Number(head)] : named.get(head);
			if (start === undefined) {
				throw new TemplateError(`'${whole}' has no value to format`);
			}
			const value = [...path.matchAll(/\.([^.[\]]+)|\[([^[\]]*)\]/g)].reduce<Value>(
				(at, [, name, key]) => getFieldPart(at, name ?? key ?? '', whole),
				start,
			);
			const shown = conversion === 'r' || conversion === 'a' ? toReprText(value) : value;
			return formatWithSpec(shown, spec ?? '');
		},
	);
}

function getFieldPart(owner: Value, key: string, field: string): Value {
	const found = owner instanceof Dict ? owner.get(key) : Array.isArray(owner) ? owner[Number(key)] : undefined;
	if (found === undefined) {
		throw new TemplateError(`'${field}' has no value to format`);
	}
	return found;
}

/** Applies a Python format specification: `>8`, `+.2f`, `,`, `08d`, `.1%`. */
function formatWithSpec(value: Value, spec: string): string {
	const match = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su.exec(spec);
	if (!match) {
		throw new TemplateError(`Invalid format specifier '${spec}'`);
	}
	const [, fill, align, sign, , zero, width, group, precision, kind] = match;
	const isText = !isNumber(value) || typeof value === 'boolean';
	const digits = precision === undefined ? undefined : requireWidth(Number(precision), 'format');
	let text = isText ? [...toPrintedText(value)].slice(0, digits).join('') : formatNumberWithSpec(value, kind, digits);
	if (isText && kind !== undefined && kind !== 's') {
		throw new TemplateError(`Unknown format code '${kind}' for object of type '${getTypeName(value)}'`);
	}
	if (group) {
		text = text.replace(/\d+/, whole => splitThousands(whole).join(group));
	}
	if (!isText && !text.startsWith('-') && (sign === '+' || sign === ' ')) {
		text = sign + text;
	}
	const size = requireWidth(Number(width ?? 0), 'format');
	const filler = fill ?? (zero ? '0' : ' ');
	const missingWidth = Math.max(0, size - [...text].length);
	switch (align ?? (zero && !isText ? '=' : isText ? '<' : '>')) {
		case '<':
			return text + filler.repeat(missingWidth);
		case '^':
			return filler.repeat(Math.floor(missingWidth / 2)) + text + filler.repeat(Math.ceil(missingWidth / 2));
		case '=': {
			const [, head = '', rest = ''] = /^([-+ ]?)([\s\S]*)$/.exec(text) ?? [];
			return head + filler.repeat(missingWidth) + rest;
		}
		default:
			return filler.repeat(missingWidth) + text;
	}
}

/** Splits digits into groups of three, counted from the end. */
function splitThousands(digits: string): readonly string[] {
	const first = digits.length % 3 || 3;
	const groups = [digits.slice(0, first)];
	for (let at = first; at < digits.length; at += 3) {
		groups.push(digits.slice(at, at + 3));
	}
	return groups;
}

function formatNumberWithSpec(value: Numeric, kind: string | undefined, digits: number | undefined): string {
	if (kind === '%') {
		return `${formatNumberField('f', toNumber(value) * 100, digits)}%`;
	}
	if (kind === undefined || kind === 'n') {
		return digits === undefined ? toPrintedText(value) : formatNumberField('g', value, digits);
	}
	if (kind === 's') {
		throw new TemplateError(`Unknown format code 's' for object of type '${getTypeName(value)}'`);
	}
	return formatNumberField(kind, value, digits);
}
