import { isInnerStart } from '../layout/cardSize.ts';
import type { AgentPicture, DrawnNode } from '../picture/graphTypes.ts';

/** Returns the nodes that an output handle can be connected to: on the same level, not connected yet, and without closing a cycle. */
export function listConnectTargets({ nodes, edges }: AgentPicture, from: DrawnNode, handle: string): readonly DrawnNode[] {
	const incoming = Map.groupBy(edges, ({ target }) => target);
	const excluded = new Set([from.id]);
	// a set's iterator also visits what is added meanwhile, so this finds all nodes that lead to the node
	for (const id of excluded) {
		for (const { source } of incoming.get(id) ?? []) {
			excluded.add(source);
		}
	}
	for (const edge of edges) {
		if (edge.source === from.id && edge.handle === handle) {
			excluded.add(edge.target);
		}
	}
	return nodes.filter(node => node.parent === from.parent && !excluded.has(node.id) && !isInnerStart(node) && node.role !== 'start');
}

/** Describes a target by its type. If titles repeat, also by its ID. */
export function formatTarget({ id, title }: DrawnNode, targets: readonly DrawnNode[], type: string): string {
	return targets.some(other => other.id !== id && other.title === title) ? `${type} · ${id}` : type;
}
