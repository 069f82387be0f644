import { Float, floatText } from './float.ts';

/**
 * Formats a value like Python's `repr`, as the hosted service does: `True`, `None`, `['a', 1]`. Agent files rely on this format (workflow
 * DSL, "Referring to variables").
 */
export function pythonRepr(value: unknown): string {
	if (typeof value === 'string') {
		return quoted(value);
	}
	if (Array.isArray(value)) {
		return `[${value.map(pythonRepr).join(', ')}]`;
	}
	if (typeof value === 'object' && value !== null) {
		return `{${Object.entries(value)
			.map(([key, item]) => `${quoted(key)}: ${pythonRepr(item)}`)
			.join(', ')}}`;
	}
	return pythonStr(value);
}

/** Like {@link pythonRepr}, but returns strings unchanged. */
export function pythonStr(value: unknown): string {
	if (value instanceof Float) {
		return floatText(value.value);
	}
	switch (typeof value) {
		case 'string':
			return value;
		case 'boolean':
			return value ? 'True' : 'False';
		case 'number':
			return pythonNumber(value);
		case 'object':
			return value === null ? 'None' : pythonRepr(value);
		default:
			return 'None';
	}
}

/** Returns the Python name of a value's type: `str`, `int`, `list`. */
export function pythonType(value: unknown): string {
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
export function pythonJson(value: unknown): string {
	if (Array.isArray(value)) {
		return `[${value.map(pythonJson).join(', ')}]`;
	}
	if (typeof value === 'object' && value !== null) {
		return `{${Object.entries(value)
			.map(([key, item]) => `${JSON.stringify(key)}: ${pythonJson(item)}`)
			.join(', ')}}`;
	}
	return JSON.stringify(value) ?? 'null';
}

/** Formats a number as an integer if possible, because it isn't marked as a {@link Float}. */
function pythonNumber(value: number): string {
	if (Number.isNaN(value)) {
		return 'nan';
	}
	if (!Number.isFinite(value)) {
		return value > 0 ? 'inf' : '-inf';
	}
	return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

function quoted(text: string): string {
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
