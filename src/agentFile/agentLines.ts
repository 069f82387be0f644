import { isNode } from 'yaml';
import { agentGraph, graphPath, isInnerStart, isStart, reachedNodes } from './agentGraph.ts';
import { AgentText } from './agentText.ts';

/** Where a node stands in the text of an agent file. */
export interface NodeLines {
	readonly id: string;
	readonly title: string;
	/** First and last line of its block, from 1. */
	readonly first: number;
	readonly last: number;
	/** Whether a run can come to it. */
	readonly reached: boolean;
	/** Whether it begins the agent, or the rounds of a container: it does nothing by itself. */
	readonly begins: boolean;
}

/** The nodes of an agent file by their lines: the way from a breakpoint to its node, and from a node to where it is shown. */
export class AgentLines {
	/** In the order of the file. */
	readonly nodes: readonly NodeLines[];
	/** What is wrong with the text, where it cannot be read. */
	readonly error: string | undefined;
	/** The lines of edges, with the node that each leads to. */
	readonly #edges: readonly { readonly target: string; readonly first: number; readonly last: number }[];

	constructor(text: string) {
		const read = new AgentText(text);
		const graph = agentGraph(read.content);
		const reached = reachedNodes(graph);
		this.error = read.error?.message;
		const linesOf = (list: 'nodes' | 'edges', at: number) => {
			const value = read.document?.getIn([...graphPath, list, at], true);
			if (!isNode(value) || !value.range) {
				return undefined;
			}
			const [from, to] = value.range;
			// a block of text ends after its last line break
			const length = text.slice(from, to).trimEnd().length;
			return { first: read.lineAt(from), last: read.lineAt(from + Math.max(0, length - 1)) };
		};
		this.nodes = graph.nodes.flatMap(node => {
			const { id, title, at } = node;
			const lines = linesOf('nodes', at);
			return lines ? [{ id, title, ...lines, reached: reached.has(id), begins: isStart(node) || isInnerStart(node) }] : [];
		});
		this.#edges = graph.edges.flatMap(({ target, at }) => {
			const lines = linesOf('edges', at);
			return lines ? [{ target, ...lines }] : [];
		});
	}

	/** The node in whose block a line is. */
	at(line: number): NodeLines | undefined {
		return this.nodes.find(({ first, last }) => first <= line && line <= last);
	}

	/** The node before which a breakpoint on a line stops: the one in whose block the line is, or the one that the edge on the line leads to. */
	stopAt(line: number): NodeLines | undefined {
		return this.at(line) ?? this.of(this.#edges.find(({ first, last }) => first <= line && line <= last)?.target);
	}

	/** The node of an ID. */
	of(id: string | undefined): NodeLines | undefined {
		return this.nodes.find(node => node.id === id);
	}
}
