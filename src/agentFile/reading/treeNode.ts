import type { Node, NodeType } from 'jsonc-parser';
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode, type Scalar, type YAMLSeq } from 'yaml';

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

/** The source of parsed values. */
export interface Source {
	/** The whole text. */
	readonly text: string;
	/** Converts an offset of a value to an offset in the whole text. */
	readonly at: (offset: number) => number;
	/** Used to resolve aliases; absent if there are none. */
	readonly document?: Document.Parsed;
	/** Items of a list that were parsed separately. */
	readonly itemsOf: (seq: unknown) => readonly { readonly item: ParsedNode | null; readonly source: Source }[] | undefined;
}

/** Creates the JSON syntax tree of a value. The content of lists and maps is created on demand. */
export function treeNode(source: Source, value: ParsedNode, parent?: Node): Node {
	if (isAlias(value)) {
		const target = source.document && (value as Alias).resolve(source.document);
		const place = placeOf(source, value);
		if (!target) {
			return { type: 'null', value: null, ...place, ...(parent && { parent }) };
		}
		return isScalar(target) ? { ...scalar(source, target, parent), ...place } : new TreeNode(source, target as ParsedNode, parent, place);
	}
	return isScalar(value) ? scalar(source, value, parent) : new TreeNode(source, value, parent);
}

interface Span {
	readonly offset: number;
	readonly length: number;
}

/** A list or a map. */
class TreeNode implements Node {
	readonly type: NodeType;
	readonly offset: number;
	declare readonly parent?: Node;
	readonly #source: Source;
	readonly #value: ParsedNode;
	#length: number | undefined;
	#children: Node[] | undefined;

	constructor(source: Source, value: ParsedNode, parent: Node | undefined, place?: Span) {
		this.type = isSeq(value) ? 'array' : 'object';
		this.#source = source;
		this.#value = value;
		this.offset = place?.offset ?? source.at(value.range[0]);
		this.#length = place?.length;
		if (parent) {
			this.parent = parent;
		}
	}

	get length(): number {
		this.#length ??= lengthTo(this.#source, this.offset, endOf(this.#source, this.#value));
		return this.#length;
	}

	get children(): Node[] {
		this.#children ??= isSeq(this.#value) ? this.#items(this.#value) : this.#properties();
		return this.#children;
	}

	#items(list: YAMLSeq): Node[] {
		const cut = this.#source.itemsOf(list);
		return cut
			? cut.map(({ item, source }) => (item ? treeNode(source, item, this) : missing(this)))
			: list.items.map(item => (item ? treeNode(this.#source, item as ParsedNode, this) : missing(this)));
	}

	/** Creates the fields of a map, then those that it gets from merges. */
	#properties(): Node[] {
		const properties: Node[] = [];
		const merged: Node[] = [];
		const pairs = isMap(this.#value) ? (this.#value.items as readonly ParsedPair[]) : [];
		for (const { key, value } of pairs) {
			if (isMerge(key) && value) {
				const sources = treeNode(this.#source, value, this);
				merged.push(...[sources.type === 'array' ? (sources.children ?? []) : [sources]].flat().flatMap(({ children = [] }) => children));
				continue;
			}
			const property: Node = { type: 'property', ...placeOf(this.#source, key), parent: this, children: [] };
			const name = treeNode(this.#source, key, property);
			const inner = value ? treeNode(this.#source, value, property) : { ...missing(property), offset: name.offset + name.length };
			const { offset, length } = name;
			(property.children as Node[]).push({ type: 'string', value: String(name.value ?? ''), offset, length, parent: property }, inner);
			properties.push(property);
		}
		const names = new Set(properties.map(nameOf));
		for (const property of merged.filter(({ type }) => type === 'property')) {
			if (!names.has(nameOf(property))) {
				names.add(nameOf(property));
				properties.push({ ...property, parent: this });
			}
		}
		return properties;
	}
}

function scalar(source: Source, written: Scalar, parent: Node | undefined): Node {
	const { value } = written;
	const type = value === null || value === undefined ? 'null' : typeof value;
	const place = placeOf(source, written as ParsedNode);
	return { type: (type === 'bigint' ? 'number' : type) as NodeType, value, ...place, ...(parent && { parent }) };
}

function missing(parent: Node): Node {
	return { type: 'null', value: null, offset: parent.offset, length: 0, parent };
}

function placeOf(source: Source, value: ParsedNode): Span {
	const offset = source.at(value.range?.[0] ?? 0);
	return { offset, length: lengthTo(source, offset, endOf(source, value)) };
}

/** Trims the trailing line break of a block scalar. */
function lengthTo({ text }: Source, offset: number, end: number): number {
	return Math.max(0, text.slice(offset, end).trimEnd().length);
}

/** Returns the offset after a value. A block list or map ends with its last value, because its own range may include comments. */
function endOf(source: Source, value: ParsedNode): number {
	const [, end] = value.range ?? [0, 0];
	if (isAlias(value) || isScalar(value) || value.flow) {
		return source.at(end);
	}
	if (isSeq(value)) {
		const last = source.itemsOf(value)?.at(-1) ?? { item: value.items.at(-1) as ParsedNode | undefined, source };
		return last.item ? endOf(last.source, last.item) : source.at(end);
	}
	const last = value.items.at(-1) as ParsedPair | undefined;
	if (!last) {
		return source.at(end);
	}
	const behindKey = endOf(source, last.key);
	const [colon = ''] = /^[ \t]*:/.exec(source.text.slice(behindKey, behindKey + 200)) ?? [];
	return Math.max(behindKey + colon.length, last.value ? endOf(source, last.value) : 0);
}

function isMerge(key: ParsedNode): boolean {
	return isScalar(key) && typeof key.value === 'symbol';
}

function nameOf({ children }: Node): unknown {
	return children?.[0]?.value;
}
