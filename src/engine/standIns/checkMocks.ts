import type { Mocks } from '#contract/mocks.ts';
import type { AgentNode, Graph, LoadedAgent } from '../agentFile/agentTypes.ts';
import { InputError } from '../run/inputError.ts';
import { mockOf } from './mockedNodes.ts';
import { outputOfWay, wayOutOf, waysOutOf } from './waysOut.ts';

/**
 * Checks mocks before a run starts.
 * @throws {InputError} if a mock names a node or an output handle that the agent doesn't have
 */
export function checkMocks({ graph }: Pick<LoadedAgent, 'graph'>, mocks: Mocks): void {
	for (const id of Object.keys(mocks)) {
		const node = nodeOf(graph, id);
		if (!node) {
			throw new InputError('mocks', `mocks: the agent has no node "${id.slice(0, 100)}" that a run can come to; expected the ID of one`);
		}
		if (node.nodeType?.type === 'container-start') {
			throw new InputError('mocks', `mocks.${id}: where a round begins is not run, so nothing can stand in for it`);
		}
		for (const [index, mock] of (mockOf(mocks, id) ?? []).entries()) {
			if ('outputs' in mock) {
				checkWay(node, `mocks.${id}${Array.isArray(mocks[id]) ? `[${index}]` : ''}`, mock);
			}
		}
	}
}

function checkWay(
	node: AgentNode,
	place: string,
	{ outputs, handle }: { readonly outputs: Record<string, unknown>; readonly handle?: string | undefined },
): void {
	const ways = waysOutOf(node);
	const known = ways.map(way => `"${way}"`).join(', ');
	if (handle !== undefined && !ways.includes(handle)) {
		throw new InputError('mocks', `${place}.handle: the node has no way out "${handle.slice(0, 100)}"; expected one of ${known}`);
	}
	const output = outputOfWay(node.type);
	if (handle === undefined && output !== undefined && wayOutOf(node, outputs) === undefined) {
		throw new InputError(
			'mocks',
			`${place}: which way the node goes is not said; expected "handle", or the output "${output}", as one of ${known}`,
		);
	}
}

/** Finds a node of a graph, including those inside its containers. */
function nodeOf(graph: Graph, id: string): AgentNode | undefined {
	const found = graph.nodes.get(id);
	if (found) {
		return found;
	}
	for (const { inner } of graph.nodes.values()) {
		const within = inner && nodeOf(inner, id);
		if (within) {
			return within;
		}
	}
	return undefined;
}
