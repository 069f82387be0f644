import type { Node, NodeType } from 'jsonc-parser';
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode, type Scalar, type YAMLSeq } from 'yaml';

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

/** The text that values were parsed from. */
export interface Source {
	/** The whole text. */
	readonly text: string;
	/** Converts an offset of a value to an offset in the whole text. */
	readonly toTextOffset: (offset: number) => number;
	/** Document used to resolve aliases; absent if there are no aliases. */
	readonly document?: Document.Parsed;
	/** Returns the items of a list that were parsed separately. */
	readonly findParsedItems: (seq: unknown) => readonly { readonly item: ParsedNode | null; readonly source: Source }[] | undefined;
}

/** Creates the JSON syntax tree of a value. The content of lists and maps is created on demand. */
export function createTreeNode(source: Source, value: ParsedNode, parent?: Node): Node {
	if (isAlias(value)) {
		const target = source.document && (value as Alias).resolve(source.document);
		const place = getValueSpan(source, value);
		if (!target) {
			return { type: 'null', value: null, ...place, ...(parent && { parent }) };
		}
		return isScalar(target)
			? createAliasedScalar(source, { target, place }, parent)
			: new TreeNode(source, target as ParsedNode, parent, place);
	}
	return isScalar(value) ? createScalarNode(source, value, parent) : new TreeNode(source, value, parent);
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
		this.offset = place?.offset ?? source.toTextOffset(value.range[0]);
		this.#length = place?.length;
		if (parent) {
			this.parent = parent;
		}
	}

	get length(): number {
		this.#length ??= getTrimmedLength(this.#source, this.offset, findValueEnd(this.#source, this.#value));
		return this.#length;
	}

	get children(): Node[] {
		this.#children ??= isSeq(this.#value) ? this.#createItems(this.#value) : this.#createProperties();
		return this.#children;
	}

	#createItems(list: YAMLSeq): Node[] {
		const cut = this.#source.findParsedItems(list);
		return cut
			? cut.map(({ item, source }) => (item ? createTreeNode(source, item, this) : createMissingNode(this)))
			: list.items.map(item => (item ? createTreeNode(this.#source, item as ParsedNode, this) : createMissingNode(this)));
	}

	/** Creates the fields of a map, followed by its merged fields. */
	#createProperties(): Node[] {
		const properties: Node[] = [];
		const merged: Node[] = [];
		const pairs = isMap(this.#value) ? (this.#value.items as readonly ParsedPair[]) : [];
		for (const { key, value } of pairs) {
			if (isMergePair(key) && value) {
				const sources = createTreeNode(this.#source, value, this);
				merged.push(...[sources.type === 'array' ? (sources.children ?? []) : [sources]].flat().flatMap(({ children = [] }) => children));
				continue;
			}
			const property: Node = { type: 'property', ...getValueSpan(this.#source, key), parent: this, children: [] };
			const name = createTreeNode(this.#source, key, property);
			const inner = value
				? createTreeNode(this.#source, value, property)
				: { ...createMissingNode(property), offset: name.offset + name.length };
			const { offset, length } = name;
			(property.children as Node[]).push({ type: 'string', value: String(name.value ?? ''), offset, length, parent: property }, inner);
			properties.push(property);
		}
		const names = new Set(properties.map(getPropertyName));
		for (const property of merged.filter(({ type }) => type === 'property')) {
			if (!names.has(getPropertyName(property))) {
				names.add(getPropertyName(property));
				properties.push({ ...property, parent: this });
			}
		}
		return properties;
	}
}

function createScalarNode(source: Source, written: Scalar, parent: Node | undefined): Node {
	const { value } = written;
	const type = value === null || value === undefined ? 'null' : typeof value;
	const place = getValueSpan(source, written as ParsedNode);
	return { type: (type === 'bigint' ? 'number' : type) as NodeType, value, ...place, ...(parent && { parent }) };
}

/** Spans of the texts that aliases stand for, by their nodes. */
const aliasedSpans = new WeakMap<Node, Span>();

function createAliasedScalar(source: Source, { target, place }: { target: Scalar; place: Span }, parent: Node | undefined): Node {
	const { offset, length, ...scalar } = createScalarNode(source, target, parent);
	const node = { ...scalar, ...place };
	aliasedSpans.set(node, { offset, length });
	return node;
}

/** Returns the span of a value's own text, which is elsewhere for an alias. */
export function getWrittenSpan(node: Node): Span {
	return aliasedSpans.get(node) ?? node;
}

function createMissingNode(parent: Node): Node {
	return { type: 'null', value: null, offset: parent.offset, length: 0, parent };
}

function getValueSpan(source: Source, value: ParsedNode): Span {
	const offset = source.toTextOffset(value.range?.[0] ?? 0);
	return { offset, length: getTrimmedLength(source, offset, findValueEnd(source, value)) };
}

/** Trims the trailing line break of a block scalar. */
function getTrimmedLength({ text }: Source, offset: number, end: number): number {
	return Math.max(0, text.slice(offset, end).trimEnd().length);
}

/**
 * Returns the offset after a value. A block list or map ends with its last value, because the range that `yaml` reports may include
 * comments.
 */
function findValueEnd(source: Source, value: ParsedNode): number {
	const [, end] = value.range ?? [0, 0];
	if (isAlias(value) || isScalar(value) || value.flow) {
		return source.toTextOffset(end);
	}
	if (isSeq(value)) {
		const last = source.findParsedItems(value)?.at(-1) ?? { item: value.items.at(-1) as ParsedNode | undefined, source };
		return last.item ? findValueEnd(last.source, last.item) : source.toTextOffset(end);
	}
	const last = value.items.at(-1) as ParsedPair | undefined;
	if (!last) {
		return source.toTextOffset(end);
	}
	const behindKey = findValueEnd(source, last.key);
	const [colon = ''] = /^[ \t]*:/.exec(source.text.slice(behindKey, behindKey + 200)) ?? [];
	return Math.max(behindKey + colon.length, last.value ? findValueEnd(source, last.value) : 0);
}

function isMergePair(key: ParsedNode): boolean {
	return isScalar(key) && typeof key.value === 'symbol';
}

function getPropertyName({ children }: Node): unknown {
	return children?.[0]?.value;
}
