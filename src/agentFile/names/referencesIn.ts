import type { JSONPath, Node } from 'jsonc-parser';
import { getWrittenSpan } from '../reading/treeNode.ts';
import { isSelector, referencePattern } from '../references.ts';
import { findNodeAt, listProperties } from '../yamlTree.ts';

/** Depth of a node's `data` in a file. */
const dataDepth = ['workflow', 'graph', 'nodes', 0, 'data'].length;

/** A reference to a variable in a file. */
export interface Reference {
	/** Node ID (or `sys`, `env`, `conversation`), variable, and keys. */
	readonly selector: readonly string[];
	readonly path: JSONPath;
	/** Range of each part of the selector. */
	readonly places: readonly { readonly offset: number; readonly length: number }[];
}

/**
 * Finds all references in a node's `data` or a value in it: in strings, and in lists that are selectors. `path` is the path of the value
 * in the file.
 */
export function findReferences(value: Node, path: JSONPath, text: string): Reference[] {
	if (value.type === 'string') {
		const { offset: start, length } = getWrittenSpan(value);
		const raw = text.slice(start, start + length);
		return [...raw.matchAll(referencePattern)].map(match => {
			const selector = (match[1] ?? '').split('.');
			let offset = start + match.index + '{{#'.length;
			const places = selector.map(({ length }) => {
				const place = { offset, length };
				offset += length + 1;
				return place;
			});
			return { selector, path, places };
		});
	}
	if (value.type === 'array') {
		const items = value.children ?? [];
		const getSibling = (name: string): unknown => {
			const holder = value.parent?.parent;
			return holder && findNodeAt(holder, [name])?.value;
		};
		// IDs are often written as numbers
		if (
			items.length > 1 &&
			items.every(({ type }) => type === 'string' || type === 'number') &&
			isSelector(path.slice(dataDepth), getSibling)
		) {
			const places = items.map(({ offset, length }) => ({ offset, length }));
			return [{ selector: items.map(item => String(item.value)), path, places }];
		}
		return items.flatMap((item, at) => findReferences(item, [...path, at], text));
	}
	return listProperties(value).flatMap(({ name, value: inner }) => (inner ? findReferences(inner, [...path, name], text) : []));
}
