import type { JSONPath, Node } from 'jsonc-parser';
import { propertiesOf } from '../runFileFaults.ts';
import type { AgentSchema } from './agentSchema.ts';

/** `{{#node.variable.key#}}` (workflow DSL, "Referring to variables"). */
export const referencePattern = /\{\{#([a-zA-Z0-9_]{1,50}(?:\.[a-zA-Z_][a-zA-Z0-9_]{0,29}){1,10})#\}\}/g;

/** A place in a file that names a value. */
export interface Reference {
	/** Node ID (or `sys`, `env`, `conversation`), variable, and keys into it. */
	readonly selector: readonly string[];
	readonly path: JSONPath;
	/** Place of each part of the selector in the text. */
	readonly places: readonly { readonly offset: number; readonly length: number }[];
}

/** All references in `data` of a node: in texts, and lists that the schema says are selectors. `path` is that of the value. */
export function referencesIn(value: Node, path: JSONPath, text: string, schema: AgentSchema, root: Node): Reference[] {
	if (value.type === 'string') {
		const raw = text.slice(value.offset, value.offset + value.length);
		return [...raw.matchAll(referencePattern)].map(match => {
			const selector = (match[1] ?? '').split('.');
			let offset = value.offset + match.index + '{{#'.length;
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
		if (items.length > 1 && items.every(({ type }) => type === 'string') && refersToVariable(schema, path, root)) {
			const places = items.map(({ offset, length }) => ({ offset, length }));
			return [{ selector: items.map(item => String(item.value)), path, places }];
		}
		return items.flatMap((item, at) => referencesIn(item, [...path, at], text, schema, root));
	}
	return propertiesOf(value).flatMap(({ name, value: inner }) => (inner ? referencesIn(inner, [...path, name], text, schema, root) : []));
}

/** Whether a value at this path names a variable. */
export function refersToVariable(schema: AgentSchema, path: JSONPath, root: Node | undefined): boolean {
	return schema.at(path, root).some(({ refers }) => refers === 'variable');
}
