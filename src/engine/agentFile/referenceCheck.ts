import type { GraphNode } from '#agentFile/agentGraph.ts';
import type { Path } from '#agentFile/agentText.ts';
import { isSelector } from '#agentFile/references.ts';
import { findSelectors } from '../variables/references.ts';
import type { AgentDocument } from './agentDocument.ts';
import type { AgentFault } from './agentTypes.ts';

/** Maximum number of warnings for one file. */
const maxWarnings = 1000;

/** First segments of selectors that don't name a node. */
const special = new Set(['sys', 'env', 'conversation', 'context']);

/**
 * Adds a warning for every reference to a missing node. It isn't an error because the hosted service loads such files: the value is then
 * null, or the text is left unchanged (cases a03, a04).
 */
export function checkReferences(
	document: AgentDocument,
	nodes: ReadonlyMap<string, { readonly path: Path }>,
	graphNodes: readonly GraphNode[],
	warnings: AgentFault[],
): void {
	const known = new Set([...special, ...graphNodes.map(node => node.id)]);
	/** @param top path of a node's `data` @param path path of the value within `data` */
	const checkNestedReferences = (value: unknown, top: Path, path: Path, siblings: Readonly<Record<string, unknown>>): void => {
		if (warnings.length >= maxWarnings) {
			return;
		}
		if (typeof value === 'string') {
			for (const [node] of findSelectors(value)) {
				if (node !== undefined && !known.has(node) && warnings.length < maxWarnings) {
					warnings.push(document.createFault([...top, ...path], `refers to the node '${node}', which doesn't exist`));
				}
			}
		} else if (Array.isArray(value)) {
			const [first] = value;
			const isOfUnknown = typeof first === 'string' && value.length > 1 && !known.has(first);
			if (isOfUnknown && isSelector(path, name => siblings[name])) {
				warnings.push(document.createFault([...top, ...path], `refers to the node '${first}', which doesn't exist`));
			}
			for (const [index, item] of value.entries()) {
				checkNestedReferences(item, top, [...path, index], {});
			}
		} else if (typeof value === 'object' && value !== null) {
			for (const [key, item] of Object.entries(value)) {
				checkNestedReferences(item, top, [...path, key], value as Readonly<Record<string, unknown>>);
			}
		}
	};
	for (const node of graphNodes) {
		const placed = nodes.get(node.id);
		if (placed && node.data) {
			checkNestedReferences(node.data, [...placed.path, 'data'], [], {});
		}
	}
}
