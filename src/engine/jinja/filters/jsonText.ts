import { TemplateError } from '../templateError.ts';
import { isNumber } from '../values/numbers.ts';
import { toPrintedText } from '../values/printing.ts';
import { Dict, getTypeName, type Value } from '../values/values.ts';

/**
 * Formats a value like Jinja's `tojson`: sorted keys, ASCII only, and safe within HTML.
 * @throws {TemplateError} if the value can't be represented in JSON
 */
export function formatJson(value: Value, indent?: number): string {
	return writeValue(value, indent === undefined ? undefined : { size: Math.max(0, Math.min(indent, 100)), depth: 0 });
}

interface Indent {
	readonly size: number;
	readonly depth: number;
}

function writeValue(value: Value, indent: Indent | undefined): string {
	const inner = indent && { ...indent, depth: indent.depth + 1 };
	if (value === null) {
		return 'null';
	}
	if (typeof value === 'string') {
		return quoteString(value);
	}
	if (typeof value === 'boolean') {
		return String(value);
	}
	if (isNumber(value)) {
		return toPrintedText(value)
			.replace(/^(-?)inf$/, '$1Infinity')
			.replace('nan', 'NaN');
	}
	if (Array.isArray(value)) {
		return encloseItems(
			'[]',
			Array.from(value, item => writeValue(item, inner)),
			indent,
		);
	}
	if (value instanceof Dict) {
		const entries = [...value].map(([key, item]) => [formatKey(key), item] as const);
		entries.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
		return encloseItems(
			'{}',
			entries.map(([key, item]) => `${quoteString(key)}: ${writeValue(item, inner)}`),
			indent,
		);
	}
	throw new TemplateError(`Object of type ${getTypeName(value)} is not JSON serializable`);
}

function formatKey(key: Value): string {
	return typeof key === 'string' ? key : key === null ? 'null' : typeof key === 'boolean' ? String(key) : toPrintedText(key);
}

function encloseItems(brackets: string, items: readonly string[], indent: Indent | undefined): string {
	const [open, close] = brackets;
	if (!indent || items.length === 0) {
		return `${open}${items.join(', ')}${close}`;
	}
	const startJsonLine = (depth: number) => `\n${' '.repeat(indent.size * depth)}`;
	return `${open}${startJsonLine(indent.depth + 1)}${items.join(`,${startJsonLine(indent.depth + 1)}`)}${startJsonLine(indent.depth)}${close}`;
}

/** Quotes a string. Characters that are special in HTML or not ASCII are escaped by their code. */
function quoteString(text: string): string {
	return JSON.stringify(text).replace(/[<>&'\u007f-\uffff]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
