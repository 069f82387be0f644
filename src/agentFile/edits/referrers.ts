import { getField } from '#base/records/plainValues.ts';
import { type GraphNode, readAgentGraph } from '../agentGraph.ts';
import type { Path } from '../agentText.ts';
import { AgentReading } from '../reading/agentReading.ts';
import { isSelector, referencePattern } from '../references.ts';

/** A reference to a value of another node. */
export interface Referrer {
	readonly node: string;
	readonly title: string;
	/** Path relative to the node's `data`. */
	readonly path: Path;
	/** ID of the referenced node, followed by the variable with its keys. */
	readonly refersTo: string;
	readonly variable: string;
}

/**
 * Finds references to nodes and their inner nodes from other nodes. Returns none for a text that can't be read.
 * @param text the text, or its reading
 */
export function findReferrers(text: string | AgentReading, ids: readonly string[]): readonly Referrer[] {
	return findNodeReferrers(readAgentGraph((typeof text === 'string' ? new AgentReading(text) : text).content).nodes, ids);
}

/** Like {@link findReferrers}, for nodes that were already read. */
export function findNodeReferrers(nodes: readonly GraphNode[], ids: readonly string[]): readonly Referrer[] {
	const gone = new Set(ids);
	for (const id of gone) {
		for (const node of nodes) {
			if (node.parent === id) {
				gone.add(node.id);
			}
		}
	}
	return nodes
		.filter(({ id }) => !gone.has(id))
		.flatMap(({ id, title, data }) =>
			listSelectors(data, [])
				.filter(({ selector: [first = ''] }) => gone.has(first))
				.map(({ path, selector: [refersTo = '', ...variable] }) => ({ node: id, title, path, refersTo, variable: variable.join('.') })),
		);
}

function listSelectors(
	value: unknown,
	path: Path,
	around?: unknown,
): readonly { readonly path: Path; readonly selector: readonly string[] }[] {
	if (typeof value === 'string') {
		return [...value.matchAll(referencePattern)].map(([, inner = '']) => ({ path, selector: inner.split('.') }));
	}
	if (typeof value !== 'object' || value === null) {
		return [];
	}
	if (Array.isArray(value) && value.length > 1 && isSelector(path, name => getField(around, name))) {
		return [{ path, selector: value.map(String) }];
	}
	return Object.entries(value).flatMap(([key, inner]) => listSelectors(inner, [...path, Array.isArray(value) ? Number(key) : key], value));
}
