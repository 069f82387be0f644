import { typeName } from './comparisons.ts';
import { printed, type RuntimeValue } from './runtimeValues.ts';

/** A value as Jinja's `tojson` writes it: keys in order, ASCII only, and safe within HTML. @throws {Error} for what is no JSON */
export function jsonText(value: RuntimeValue, indent?: number): string {
	return written(value, indent === undefined ? undefined : { size: Math.max(0, Math.min(indent, 100)), depth: 0 });
}

interface Indent {
	readonly size: number;
	readonly depth: number;
}

function written(value: RuntimeValue, indent: Indent | undefined): string {
	const inner = indent && { ...indent, depth: indent.depth + 1 };
	switch (value.type) {
		case 'NullValue':
			return 'null';
		case 'BooleanValue':
			return String(value.value);
		case 'IntegerValue':
		case 'FloatValue':
			return printed(value);
		case 'StringValue':
			return textOf(value.value as string);
		case 'ArrayValue':
		case 'TupleValue':
			return enclosed(
				'[]',
				(value.value as RuntimeValue[]).map(item => written(item, inner)),
				indent,
			);
		case 'ObjectValue': {
			const entries = [...(value.value as Map<string, RuntimeValue>)].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
			return enclosed(
				'{}',
				entries.map(([key, item]) => `${textOf(key)}: ${written(item, inner)}`),
				indent,
			);
		}
		default:
			throw new Error(`Object of type ${typeName(value)} is not JSON serializable`);
	}
}

function enclosed(brackets: string, items: readonly string[], indent: Indent | undefined): string {
	const [open, close] = brackets;
	if (!indent || items.length === 0) {
		return `${open}${items.join(', ')}${close}`;
	}
	const line = (depth: number) => `\n${' '.repeat(indent.size * depth)}`;
	return `${open}${line(indent.depth + 1)}${items.join(`,${line(indent.depth + 1)}`)}${line(indent.depth)}${close}`;
}

/** What stands out in HTML, or is not ASCII, is written by its code. */
function textOf(text: string): string {
	return JSON.stringify(text).replace(/[<>&'\u007f-\uffff]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
