import type { JSONPath, Node } from 'jsonc-parser';
import { fieldOf, itemsOf } from '#base/records/plainValues.ts';
import { propertyOf } from '#base/text/textFaults.ts';
import { graphPath } from '../agentGraph.ts';
import { type Reference, referencesIn } from '../names/referencesIn.ts';
import type { AgentDiagnostic } from './agentFaults.ts';

/** An item of one of the graph's lists. */
interface ListItem {
	readonly list: 'nodes' | 'edges';
	readonly at: number;
	/** As the text has it. */
	readonly node: Node;
	/** As plain values. */
	readonly content: unknown;
}

/** `data` of a node in its text. */
interface NodeData {
	readonly data: () => Node | undefined;
	readonly path: JSONPath;
	readonly text: string;
}

/**
 * What is known of nodes and edges that were checked, by their plain values: those that did not change are the same objects in the next reading, so that after a key in a large file
 * one of them is checked. Only that an item has no fault is kept, for that does not depend on where it stands.
 */
export class CleanItems {
	readonly #clean = new WeakSet<object>();
	readonly #selectors = new WeakMap<object, readonly (readonly string[])[]>();

	/** Items of the graph's lists whose own form is to be checked. */
	unknown(root: Node, content: unknown): readonly ListItem[] {
		return (['nodes', 'edges'] as const).flatMap(list => {
			const values = itemsOf(fieldOf(fieldOf(content, 'workflow'), 'graph'), list);
			const nodes = [...graphPath, list].reduce<Node | undefined>(
				(node, name) => (node?.type === 'object' ? propertyOf(node, name) : undefined),
				root,
			);
			return (nodes?.type === 'array' ? (nodes.children ?? []) : []).flatMap((node, at): ListItem[] => {
				const value = values[at];
				return typeof value === 'object' && value !== null && this.#clean.has(value) ? [] : [{ list, at, node, content: value }];
			});
		});
	}

	/** These were checked, with all faults that were found of their own form. */
	take(items: readonly ListItem[], faults: readonly AgentDiagnostic[]): void {
		const faulty = new Set(faults.map(({ path }) => `${path[2]} ${path[3]}`));
		for (const { list, at, content } of items) {
			if (typeof content === 'object' && content !== null && !faulty.has(`${list} ${at}`)) {
				this.#clean.add(content);
			}
		}
	}

	/** References in `data` of a node that may be wrong: none where all of its selectors are right. */
	references(item: unknown, { data, path, text }: NodeData, isRight: (selector: readonly string[]) => boolean): readonly Reference[] {
		const key = typeof item === 'object' && item !== null ? item : undefined;
		if (key && this.#selectors.get(key)?.every(isRight)) {
			return [];
		}
		const value = data();
		const found = value ? referencesIn(value, path, text) : [];
		if (key) {
			this.#selectors.set(
				key,
				found.map(({ selector }) => selector),
			);
		}
		return found;
	}
}
