import type { Node, NodeType } from 'jsonc-parser';
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode, type Scalar, stringify } from 'yaml';
import { AgentText, type Path, type TextError } from './agentText.ts';
import { agentYaml } from './agentYaml.ts';

/** An agent file as the editor works on it. */
export interface YamlTree {
	/** The text as the nodes that checks of JSON texts work on, merges resolved, as far as it could be read; absent where there is nothing. */
	readonly root: Node | undefined;
	/** The same as plain values. */
	readonly content: unknown;
	/** The first error: those after it mostly follow from it. */
	readonly error: TextError | undefined;
}

/** Values inside values that are read; what people write has about twenty. All that looks at a tree goes down it by calls. */
const mostLevels = 200;
/** Values that are read, those that aliases stand for counted each time: enough for ten thousand nodes. */
const mostValues = 300_000;

/**
 * Reads an agent file into nodes with places. Where it has errors, what stands around them is there nevertheless, for completion; a text that is
 * nested too deep, or grows too large by its aliases, has an error and no nodes.
 */
export function yamlTree(text: string, { document, content, error }: AgentText = new AgentText(text)): YamlTree {
	if (!document?.contents) {
		return { root: undefined, content: undefined, error };
	}
	try {
		return { root: new TreeBuilder(document, text).node(document.contents, undefined), content, error };
	} catch (cause) {
		const message = cause instanceof RangeError ? `nested too deep: at most ${mostLevels} levels are read` : (cause as Error).message;
		return { root: undefined, content: undefined, error: error ?? { kind: 'size', message, offset: 0, length: 1 } };
	}
}

/** The value at a path; of a field that is there twice, the first. */
export function valueAt(root: Node | undefined, path: Path): Node | undefined {
	return path.reduce<Node | undefined>((node, key) => {
		const property = typeof key === 'number' ? undefined : node?.children?.find(({ children }) => children?.[0]?.value === key);
		return typeof key === 'number' ? node?.children?.[key] : property?.children?.[1];
	}, root);
}

/** Fields of a map: name, and value where there is one already. */
export function propertiesOf(
	map: Node | undefined,
): readonly { readonly name: string; readonly nameNode: Node; readonly value: Node | undefined }[] {
	const properties = map?.type === 'object' ? (map.children ?? []) : [];
	return properties.flatMap(({ children }) =>
		children?.[0] ? [{ name: String(children[0].value), nameNode: children[0], value: children[1] }] : [],
	);
}

/** A text as an agent file has it: in quotes where it would be read as something else. */
export function yamlText(value: string): string {
	return stringify(value, agentYaml).trimEnd();
}

/** A text as YAML writes it in any place, in brackets and braces too. */
export function flowText(value: string): string {
	return /[,[\]{}]/.test(value) ? JSON.stringify(value) : yamlText(value);
}

class TreeBuilder {
	readonly #document: Document.Parsed;
	readonly #text: string;
	#values = 0;

	constructor(document: Document.Parsed, text: string) {
		this.#document = document;
		this.#text = text;
	}

	/** Throws a RangeError, as a full stack does, for a tree that is too deep; an error for one that is too large. */
	node(source: ParsedNode, parent: Node | undefined, level = 0): Node {
		if (level > mostLevels) {
			throw new RangeError('too deep');
		}
		if (++this.#values > mostValues) {
			throw new Error(`too large: at most ${mostValues.toLocaleString('en-US')} values are read`);
		}
		if (isAlias(source)) {
			const target = (source as Alias).resolve(this.#document);
			const place = this.#place(source);
			return target
				? { ...this.node(target as ParsedNode, parent, level + 1), ...place }
				: { type: 'null', value: null, ...place, ...parentOf(parent) };
		}
		if (isScalar(source)) {
			return this.#scalar(source, parent);
		}
		const made: Node = { type: isSeq(source) ? 'array' : 'object', ...this.#place(source), ...parentOf(parent), children: [] };
		const children = made.children as Node[];
		if (isSeq(source)) {
			children.push(...source.items.map(item => (item ? this.node(item as ParsedNode, made, level + 1) : this.#missing(made))));
		} else if (isMap(source)) {
			children.push(...this.#properties(source.items as readonly Pair<ParsedNode, ParsedNode | null>[], made, level));
		}
		return made;
	}

	/** Fields of a map, then those that it merges in and does not have itself. */
	#properties(pairs: readonly Pair<ParsedNode, ParsedNode | null>[], made: Node, level: number): Node[] {
		const properties: Node[] = [];
		const merged: Node[] = [];
		for (const { key, value } of pairs) {
			if (isMerge(key) && value) {
				const sources = this.node(value, made, level + 1);
				merged.push(...[sources.type === 'array' ? (sources.children ?? []) : [sources]].flat().flatMap(({ children = [] }) => children));
				continue;
			}
			const property: Node = { type: 'property', ...this.#place(key), parent: made, children: [] };
			const name = this.node(key, property, level + 1);
			const inner = value ? this.node(value, property, level + 1) : { ...this.#missing(property), offset: name.offset + name.length };
			(property.children as Node[]).push({ ...name, type: 'string', value: String(name.value ?? '') }, inner);
			properties.push(property);
		}
		const names = new Set(properties.map(nameOf));
		for (const property of merged.filter(({ type }) => type === 'property')) {
			if (!names.has(nameOf(property))) {
				names.add(nameOf(property));
				properties.push({ ...property, parent: made });
			}
		}
		return properties;
	}

	#scalar(source: Scalar, parent: Node | undefined): Node {
		const { value } = source;
		const type = value === null || value === undefined ? 'null' : typeof value;
		return { type: (type === 'bigint' ? 'number' : type) as NodeType, value, ...this.#place(source as ParsedNode), ...parentOf(parent) };
	}

	#missing(parent: Node): Node {
		return { type: 'null', value: null, offset: parent.offset, length: 0, parent };
	}

	#place(source: ParsedNode): { offset: number; length: number } {
		const [start, end] = source.range ?? [0, 0];
		// a block of text ends after its last line break
		return { offset: start, length: Math.max(0, this.#text.slice(start, end).trimEnd().length) };
	}
}

function isMerge(key: ParsedNode): boolean {
	return isScalar(key) && typeof key.value === 'symbol';
}

function nameOf({ children }: Node): unknown {
	return children?.[0]?.value;
}

function parentOf(parent: Node | undefined): { parent?: Node } {
	return parent ? { parent } : {};
}
