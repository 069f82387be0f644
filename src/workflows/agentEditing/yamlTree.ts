import type { Node, NodeType } from 'jsonc-parser';
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode, parseDocument, type Scalar } from 'yaml';

/** Where YAML is none. Offsets are in UTF-16 code units. */
export interface YamlError {
	readonly message: string;
	readonly offset: number;
	readonly length: number;
}

/** A YAML text as the nodes that checks of JSON texts work on. */
export interface YamlTree {
	/** As far as it could be read; absent where there is nothing. */
	readonly root: Node | undefined;
	/** The first error: those after it mostly follow from it. */
	readonly error: YamlError | undefined;
}

/** Reads YAML into nodes with places. Where it has errors, what stands around them is there nevertheless, for completion. */
export function yamlTree(text: string): YamlTree {
	const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
	const [first] = document.errors;
	const error = first && { message: first.message, offset: first.pos[0], length: Math.max(1, first.pos[1] - first.pos[0]) };
	try {
		// refuses aliases that would grow without end
		document.toJS();
	} catch (cause) {
		return { root: undefined, error: error ?? { message: (cause as Error).message, offset: 0, length: 1 } };
	}
	return { root: document.contents ? new TreeBuilder(document, text).node(document.contents, undefined) : undefined, error };
}

class TreeBuilder {
	readonly #document: Document.Parsed;
	readonly #text: string;

	constructor(document: Document.Parsed, text: string) {
		this.#document = document;
		this.#text = text;
	}

	node(source: ParsedNode, parent: Node | undefined): Node {
		if (isAlias(source)) {
			const target = (source as Alias).resolve(this.#document);
			const place = this.#place(source);
			return target
				? { ...this.node(target as ParsedNode, parent), ...place }
				: { type: 'null', value: null, ...place, ...parentOf(parent) };
		}
		if (isScalar(source)) {
			return this.#scalar(source, parent);
		}
		const made: Node = { type: isSeq(source) ? 'array' : 'object', ...this.#place(source), ...parentOf(parent), children: [] };
		const children = made.children as Node[];
		if (isSeq(source)) {
			children.push(...source.items.map(item => (item ? this.node(item as ParsedNode, made) : this.#missing(made))));
		} else if (isMap(source)) {
			for (const { key, value } of source.items) {
				const property: Node = { type: 'property', ...this.#place(key as ParsedNode), parent: made, children: [] };
				const name = this.node(key as ParsedNode, property);
				const inner = value ? this.node(value as ParsedNode, property) : { ...this.#missing(property), offset: name.offset + name.length };
				(property.children as Node[]).push({ ...name, type: 'string', value: String(name.value ?? '') }, inner);
				children.push(property);
			}
		}
		return made;
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

function parentOf(parent: Node | undefined): { parent?: Node } {
	return parent ? { parent } : {};
}
