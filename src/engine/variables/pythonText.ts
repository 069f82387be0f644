import { Float, formatFloat } from './float.ts';

/**
 * Formats a value like Python's `repr`, as the hosted service does: `True`, `None`, `['a', 1]`. Agent files rely on this format (workflow
 * DSL, "Referring to variables").
 */
export function toPythonRepr(value: unknown): string {
	if (typeof value === 'string') {
		return quotePythonString(value);
	}
	if (Array.isArray(value)) {
		return `[${value.map(toPythonRepr).join(', ')}]`;
	}
	if (typeof value === 'object' && value !== null) {
		return `{${Object.entries(value)
			.map(([key, item]) => `${quotePythonString(key)}: ${toPythonRepr(item)}`)
			.join(', ')}}`;
	}
	return toPythonStr(value);
}

/** Like {@link toPythonRepr}, but returns strings unchanged. */
export function toPythonStr(value: unknown): string {
	if (value instanceof Float) {
		return formatFloat(value.value);
	}
	switch (typeof value) {
		case 'string':
			return value;
		case 'boolean':
			return value ? 'True' : 'False';
		case 'number':
			return formatPythonNumber(value);
		case 'object':
			return value === null ? 'None' : toPythonRepr(value);
		default:
			return 'None';
	}
}

/** Returns the Python name of a value's type: `str`, `int`, `list`. */
export function getPythonType(value: unknown): string {
	if (Array.isArray(value)) {
		return 'list';
	}
	if (value instanceof Float) {
		return 'float';
	}
	switch (typeof value) {
		case 'string':
			return 'str';
		case 'number':
			return Number.isInteger(value) ? 'int' : 'float';
		case 'boolean':
			return 'bool';
		case 'object':
			return value === null ? 'NoneType' : 'dict';
		default:
			return 'NoneType';
	}
}

/** Formats JSON with spaces after `,` and `:`, as Python does. */
export function toPythonJson(value: unknown): string {
	if (Array.isArray(value)) {
		return `[${value.map(toPythonJson).join(', ')}]`;
	}
	if (typeof value === 'object' && value !== null) {
		return `{${Object.entries(value)
			.map(([key, item]) => `${JSON.stringify(key)}: ${toPythonJson(item)}`)
			.join(', ')}}`;
	}
	return JSON.stringify(value) ?? 'null';
}

/** Formats a number as an integer if possible, because it isn't marked as a {@link Float}. */
function formatPythonNumber(value: number): string {
	if (Number.isNaN(value)) {
		return 'nan';
	}
	if (!Number.isFinite(value)) {
		return value > 0 ? 'inf' : '-inf';
	}
	return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

function quotePythonString(text: string): string {
	const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
	const escaped = text.replace(/[\\'"\u0000-\u001f\u007f-\u00a0\u00ad]/g, character => {
		switch (character) {
			case '\\':
				return '\\\\';
			case '\n':
				return '\\n';
			case '\r':
				return '\\r';
			case '\t':
				return '\\t';
			case "'":
			case '"':
				return character === quote ? `\\${character}` : character;
			default:
				return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
		}
	});
	return quote + escaped + quote;
}
