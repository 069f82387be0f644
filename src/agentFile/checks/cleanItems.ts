import type { JSONPath, Node } from 'jsonc-parser';
import { getField, getItems } from '#base/records/plainValues.ts';
import { findProperty } from '#base/text/textFaults.ts';
import { graphPath } from '../agentGraph.ts';
import { findReferences, type Reference } from '../names/referencesIn.ts';
import type { AgentDiagnostic } from './agentFaults.ts';

/** An item of one of the graph's lists. */
interface ListItem {
	readonly list: 'nodes' | 'edges';
	readonly at: number;
	/** The item in the syntax tree. */
	readonly node: Node;
	readonly content: unknown;
}

interface NodeData {
	readonly getData: () => Node | undefined;
	readonly path: JSONPath;
	readonly text: string;
}

/**
 * Remembers nodes and edges without problems by their plain values. Unchanged items are the same objects in the next reading, so after
 * an edit in a large file only one of them is checked. Only the absence of problems is remembered, because it doesn't depend on
 * positions.
 */
export class CleanItems {
	/** Separate for each list, because an edit can move an edge into the list of nodes. */
	readonly #clean = { nodes: new WeakSet<object>(), edges: new WeakSet<object>() };
	readonly #selectors = new WeakMap<object, readonly (readonly string[])[]>();

	/** Returns the items of the graph's lists that must be checked. */
	listUnchecked(root: Node, content: unknown): readonly ListItem[] {
		return (['nodes', 'edges'] as const).flatMap(list => {
			const values = getItems(getField(getField(content, 'workflow'), 'graph'), list);
			const nodes = [...graphPath, list].reduce<Node | undefined>(
				(node, name) => (node?.type === 'object' ? findProperty(node, name) : undefined),
				root,
			);
			return (nodes?.type === 'array' ? (nodes.children ?? []) : []).flatMap((node, at): ListItem[] => {
				const value = values[at];
				return typeof value === 'object' && value !== null && this.#clean[list].has(value) ? [] : [{ list, at, node, content: value }];
			});
		});
	}

	/** Records which items were checked, and all problems found in them. */
	recordChecked(items: readonly ListItem[], faults: readonly AgentDiagnostic[]): void {
		const faulty = new Set(faults.map(({ path }) => `${path[2]} ${path[3]}`));
		for (const { list, at, content } of items) {
			if (typeof content === 'object' && content !== null && !faulty.has(`${list} ${at}`)) {
				this.#clean[list].add(content);
			}
		}
	}

	/** Returns the references in a node's `data` that may be wrong, or none if all its selectors are valid. */
	findSuspectReferences(
		item: unknown,
		{ getData, path, text }: NodeData,
		isRight: (selector: readonly string[]) => boolean,
	): readonly Reference[] {
		const key = typeof item === 'object' && item !== null ? item : undefined;
		if (key && this.#selectors.get(key)?.every(isRight)) {
			return [];
		}
		const value = getData();
		const found = value ? findReferences(value, path, text) : [];
		if (key) {
			this.#selectors.set(
				key,
				found.map(({ selector }) => selector),
			);
		}
		return found;
	}
}
