/** A float, which PyYAML writes with a decimal point even if it is whole (`1.0`). JSON and arithmetic treat it as a number. */
export class PyFloat extends Number {}

const bool = /^(?:yes|no|true|false|on|off|Yes|No|True|False|On|Off|YES|NO|TRUE|FALSE|ON|OFF)$/;
const truth = /^(?:yes|true|on)$/i;
const float =
	/^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const int = /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const timestamp =
	/^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9][0-9])?))?)$/;
const none = /^(?:~|null|Null|NULL|)$/;
const indicators = /^(?:=|<<|!|&|\*)$/;

/** True if PyYAML reads an unquoted scalar as a string by the rules of YAML 1.1. */
export function isPlainText(text: string): boolean {
	return ![bool, float, int, timestamp, none, indicators].some(kind => kind.test(text));
}

/** Resolves an unquoted scalar like PyYAML's `safe_load`; a date becomes a `Date`. */
export function resolveScalar(text: string): unknown {
	if (none.test(text)) {
		return null;
	}
	if (bool.test(text)) {
		return truth.test(text);
	}
	if (int.test(text)) {
		return parseInteger(text.replaceAll('_', ''));
	}
	if (float.test(text)) {
		return parseFloating(text.replaceAll('_', '').toLowerCase());
	}
	return timestamp.test(text) ? new Date(text) : text;
}

/** Integers beyond JavaScript's safe range aren't supported; Dify's files have none. */
function parseInteger(text: string): number {
	const negative = text.startsWith('-');
	const digits = text.replace(/^[-+]/, '');
	const value = digits.includes(':')
		? digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
		: /^0[0-7]+$/.test(digits)
			? Number.parseInt(digits, 8)
			: Number(digits);
	return negative ? -value : value;
}

function parseFloating(text: string): number | PyFloat {
	const sign = text.startsWith('-') ? -1 : 1;
	const digits = text.replace(/^[-+]/, '');
	const value = digits === '.inf' ? Infinity : digits === '.nan' ? NaN : digits.includes(':') ? parseSexagesimal(digits) : Number(digits);
	return Number.isInteger(value) ? new PyFloat(sign * value) : sign * value;
}

function parseSexagesimal(digits: string): number {
	return digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
