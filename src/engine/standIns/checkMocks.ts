import type { Mocks } from '#contract/mocks.ts';
import type { AgentNode, Graph, LoadedAgent } from '../agentFile/agentTypes.ts';
import { InputError } from '../run/inputError.ts';
import { findBranchHandle, getBranchOutput, listBranchHandles } from './branchHandles.ts';
import { findMocks } from './mockedNodes.ts';

/**
 * Checks mocks before a run starts.
 * @throws {InputError} if a mock names a node or an output handle that the agent doesn't have
 */
export function checkMocks({ graph }: Pick<LoadedAgent, 'graph'>, mocks: Mocks): void {
	for (const id of Object.keys(mocks)) {
		const node = findNode(graph, id);
		if (!node) {
			throw new InputError('mocks', `mocks: the agent has no reachable node '${id.slice(0, 100)}'. Expected the ID of a node.`);
		}
		if (node.nodeType?.type === 'container-start') {
			throw new InputError('mocks', `mocks.${id}: the start of an iteration or loop doesn't run, so it can't be mocked`);
		}
		for (const [index, mock] of (findMocks(mocks, id) ?? []).entries()) {
			if ('outputs' in mock) {
				checkBranch(node, `mocks.${id}${Array.isArray(mocks[id]) ? `[${index}]` : ''}`, mock);
			}
		}
	}
}

function checkBranch(
	node: AgentNode,
	place: string,
	{ outputs, handle }: { readonly outputs: Record<string, unknown>; readonly handle?: string | undefined },
): void {
	const ways = listBranchHandles(node);
	const known = ways.map(way => `'${way}'`).join(', ');
	if (handle !== undefined && !ways.includes(handle)) {
		throw new InputError('mocks', `${place}.handle: the node has no output handle '${handle.slice(0, 100)}'. Expected one of ${known}.`);
	}
	const output = getBranchOutput(node.type);
	if (handle === undefined && output !== undefined && findBranchHandle(node, outputs) === undefined) {
		throw new InputError(
			'mocks',
			`${place}: the output handle is missing. Expected 'handle' or the output '${output}' to be one of ${known}.`,
		);
	}
}

/** Finds a node of a graph, including those inside its containers. */
function findNode(graph: Graph, id: string): AgentNode | undefined {
	const found = graph.nodes.get(id);
	if (found) {
		return found;
	}
	for (const { inner } of graph.nodes.values()) {
		const within = inner && findNode(inner, id);
		if (within) {
			return within;
		}
	}
	return undefined;
}
