import { Float, floatText } from './float.ts';

/**
 * Texts as the hosted service prints values, which runs on Python: `True`, `None`, `['a', 1]`. Agent files are written against
 * them, so they are kept (workflow DSL, "Referring to variables").
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

/** Like {@link pythonRepr}, but a string is printed as it is. */
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

/** Name of a value's type as Python has it: `str`, `int`, `list`. */
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

/** JSON with the blanks that Python puts behind `,` and `:`. */
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

/** A number that is not known to be a {@link Float} is printed as a whole one if it can be. */
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
