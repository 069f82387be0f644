import { isNode } from 'yaml';
import { findReachableNodes, graphPath, isInnerStart, isStart, readAgentGraph } from './agentGraph.ts';
import { AgentText } from './agentText.ts';

/** Position of a node in the text of an agent file. */
export interface NodeLines {
	readonly id: string;
	readonly title: string;
	/** First and last line of the node's block, from 1. */
	readonly first: number;
	readonly last: number;
	/** True if runs can reach the node. */
	readonly reached: boolean;
	/** True if the node starts the agent or the iterations of a container, and does nothing else. */
	readonly isStart: boolean;
}

/** Finds the nodes of an agent file by line or ID, to set breakpoints and to show positions. */
export class AgentLines {
	/** Nodes in file order. */
	readonly nodes: readonly NodeLines[];
	/** Why the text can't be read; the message is in English. */
	readonly error: string | undefined;
	/** Lines of edges, with the ID of the target node. */
	readonly #edges: readonly { readonly target: string; readonly first: number; readonly last: number }[];

	constructor(text: string) {
		const read = new AgentText(text);
		const graph = readAgentGraph(read.content);
		const reached = findReachableNodes(graph);
		this.error = read.error?.message;
		const findLines = (list: 'nodes' | 'edges', at: number) => {
			const value = read.document?.getIn([...graphPath, list, at], true);
			if (!isNode(value) || !value.range) {
				return undefined;
			}
			const [from, to] = value.range;
			// the range of a block scalar includes its last line break
			const length = text.slice(from, to).trimEnd().length;
			return { first: read.getLineAt(from), last: read.getLineAt(from + Math.max(0, length - 1)) };
		};
		this.nodes = graph.nodes.flatMap(node => {
			const { id, title, at } = node;
			const lines = findLines('nodes', at);
			return lines ? [{ id, title, ...lines, reached: reached.has(id), isStart: isStart(node) || isInnerStart(node) }] : [];
		});
		this.#edges = graph.edges.flatMap(({ target, at }) => {
			const lines = findLines('edges', at);
			return lines ? [{ target, ...lines }] : [];
		});
	}

	/** Returns the node whose block contains a line. */
	findNodeAtLine(line: number): NodeLines | undefined {
		return this.nodes.find(({ first, last }) => first <= line && line <= last);
	}

	/** Returns the node that a breakpoint on a line belongs to: the node at the line, or the target of the edge at the line. */
	findBreakpointNode(line: number): NodeLines | undefined {
		return this.findNodeAtLine(line) ?? this.findNode(this.#edges.find(({ first, last }) => first <= line && line <= last)?.target);
	}

	findNode(id: string | undefined): NodeLines | undefined {
		return this.nodes.find(node => node.id === id);
	}
}
