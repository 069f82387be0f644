import {
	type Document,
	isCollection,
	isMap,
	isNode,
	isPair,
	isScalar,
	isSeq,
	type Node,
	type Scalar,
	visit,
	type YAMLMap,
	type YAMLSeq,
} from 'yaml';
import { createYamlDocument } from '../agentYaml.ts';
import { escapeUnreadable, quoteScalar } from '../scalarText.ts';

/** Style of a file, used for new values. */
export interface YamlStyle {
	readonly eol: string;
	/** Number of spaces per level. */
	readonly indent: number;
	/** True if dashes are indented more than the key of the list. */
	readonly indentSeq: boolean;
	readonly singleQuote: boolean;
	/** True if short lists and maps are in brackets. */
	readonly flow: boolean;
	/** True if there are spaces inside the brackets of lists and the braces of maps. */
	readonly padded: { readonly list: boolean; readonly map: boolean };
}

/** Detects the style of a file: indentation, quotes and line breaks. */
export function readStyle(text: string, document: Document.Parsed): YamlStyle {
	let indent: number | undefined;
	let indentSeq: boolean | undefined;
	let flow = false;
	const padded = { list: 0, map: 0 };
	visit(document, {
		Collection: (_, collection) => {
			if (collection.flow && collection.range && collection.items.length > 0) {
				padded[isSeq(collection) ? 'list' : 'map'] += /\s/.test(text[collection.range[0] + 1] ?? '') ? 1 : -1;
			}
		},
		Pair: (_, { key, value }) => {
			if (!isScalar(key) || !key.range || !isCollection(value) || !value.range) {
				return;
			}
			if (value.flow) {
				flow ||= value.items.length > 0;
				return;
			}
			const deeper = getColumnAt(text, value.range[0]) - getColumnAt(text, key.range[0]);
			if (isMap(value)) {
				indent ??= deeper;
			} else {
				indentSeq ??= deeper > 0;
			}
		},
	});
	return {
		eol: text.includes('\r\n') ? '\r\n' : '\n',
		indent: Math.max(1, indent ?? 2),
		indentSeq: indentSeq ?? true,
		singleQuote: countMatches(text, /: '/g) > countMatches(text, /: "/g),
		flow,
		// use the more frequent style of the file; without examples, the usual one
		padded: { list: padded.list > 0, map: padded.map >= 0 },
	};
}

/** Returns the number of UTF-16 code units before an offset on its line. */
export function getColumnAt(text: string, offset: number): number {
	return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Formats a value under a key or as an item, in brackets or in lines. The first line includes the key or dash. */
export function formatValue(
	value: unknown,
	style: YamlStyle,
	form: { key?: string; flow: boolean; like?: unknown; type?: Scalar.Type | undefined },
): string {
	const document = createYamlDocument();
	const inner = document.createNode(value, { aliasDuplicateObjects: false }) as Node;
	if (form.type && isScalar(inner)) {
		inner.type = form.type;
	}
	// existing nodes keep their style
	if (!isNode(value) && form.like) {
		copyStyle(inner, form.like, style.flow);
	} else if (!isNode(value) && style.flow && !form.flow) {
		enableShortFlow(inner);
	}
	visit(inner, {
		Scalar: (_, scalar, path) => {
			quoteScalar(scalar, form.flow || path.some(each => isCollection(each) && each.flow === true));
		},
	});
	visit(inner, {
		Collection: (_, collection) => {
			setPadding(collection, style);
		},
	});
	const whole = document.createNode(form.key === undefined ? [inner] : { [form.key]: inner }) as YAMLMap;
	const key: unknown = whole.items[0]?.key;
	if (isScalar(key)) {
		quoteScalar(key, form.flow);
	}
	whole.flow = form.flow;
	document.contents = whole as unknown as typeof document.contents;
	const options = { ...style, lineWidth: 0, verifyAliasOrder: false, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };
	const text = escapeUnreadable(document.toString(options).replace(/\n$/, ''));
	return (form.flow ? text.slice(1, -1).trim() : text).replaceAll('\n', style.eol);
}

/** Indents all lines except the first and empty ones. */
export function indentLines(lines: string, column: number): string {
	return lines.replaceAll(/\n(?=[^\r\n])/g, `\n${' '.repeat(column)}`);
}

/** Sets the padding of one collection, because the package has a single option for lists and maps. */
function setPadding(collection: YAMLMap | YAMLSeq, { padded }: YamlStyle): void {
	const flowCollectionPadding = (isSeq(collection) ? padded.list : padded.map) ? ' ' : '';
	const print = collection.toString.bind(collection);
	collection.toString = (context, ...rest) => print(context && { ...context, flowCollectionPadding }, ...rest);
}

/** Copies the use of brackets from a similar value. Additional parts use the file's style. */
function copyStyle(node: unknown, like: unknown, short: boolean): void {
	if (isMap(node) && isMap(like)) {
		enableFlow(node, like.flow);
		for (const { key, value } of node.items) {
			copyStyle(value, like.get(isScalar(key) ? key.value : key, true), short);
		}
	} else if (isSeq(node) && isSeq(like)) {
		enableFlow(node, like.flow);
		for (const item of node.items) {
			copyStyle(item, like.items[0], short);
		}
	} else if (short) {
		enableShortFlow(node);
	}
}

/** Sets `flow` only if true, because an explicit `flow: false` would put even an empty collection on a new line. */
function enableFlow(node: YAMLMap | YAMLSeq, flow: boolean | undefined): void {
	if (flow) {
		node.flow = true;
	}
}

/** Puts lists of scalars and maps of numbers in brackets. */
function enableShortFlow(node: unknown): void {
	visit(node as Node, {
		Collection: (_, collection) => {
			const values = collection.items.map(item => (isPair(item) ? item.value : item));
			const isShort = values.every(
				value => isScalar(value) && (isSeq(collection) ? !String(value.value).includes('\n') : typeof value.value === 'number'),
			);
			if (isShort && values.length > 0) {
				collection.flow = true;
			}
		},
	});
}

function countMatches(text: string, pattern: RegExp): number {
	return text.match(pattern)?.length ?? 0;
}
