import { agentGraph, branchItem, type GraphNode, graphPath, handlesOf, reachedNodes } from '#agentFile/agentGraph.ts';
import { AgentText, type Path } from '#agentFile/agentText.ts';
import type { CaseCoverage } from '../results/caseResult.ts';

/** A way out of a node: a branch. */
interface CoveredWay {
	/** As edges name it. */
	readonly handle: string;
	/** Name of a class or action, else the handle. */
	readonly title: string;
	/** From 0. */
	readonly line: number;
	/** How often it was taken. */
	readonly count: number;
}

/** A node of an agent file: a statement. Lines from 0, as VS Code counts them. */
export interface CoveredNode {
	readonly id: string;
	readonly title: string;
	readonly line: number;
	readonly endLine: number;
	/** How often it ran. */
	readonly count: number;
	/** Its ways out, where it has several. */
	readonly ways: readonly CoveredWay[];
}

/** What was covered of one agent file: the nodes that a run can come to. */
export interface AgentCoverage {
	readonly agent: string;
	readonly file: string;
	readonly nodes: readonly CoveredNode[];
}

/** Adds up what results covered. */
export class CoverageSum {
	readonly #agents = new Map<string, { readonly nodes: Map<string, number>; readonly ways: Map<string, number> }>();

	/** Takes what one run covered. */
	add({ agent, nodes, ways }: CaseCoverage): void {
		const sum = this.#agents.get(agent) ?? { nodes: new Map<string, number>(), ways: new Map<string, number>() };
		this.#agents.set(agent, sum);
		for (const [id, count] of Object.entries(nodes)) {
			sum.nodes.set(id, (sum.nodes.get(id) ?? 0) + count);
		}
		for (const [way, count] of Object.entries(ways)) {
			sum.ways.set(way, (sum.ways.get(way) ?? 0) + count);
		}
	}

	/** Names of agents that were run. */
	get agents(): readonly string[] {
		return [...this.#agents.keys()];
	}

	/** What was covered of an agent, by the text of its file. A text that cannot be read has no nodes. */
	of(agent: string, file: string, text: string): AgentCoverage {
		const read = new AgentText(text);
		const graph = agentGraph(read.content);
		const reached = reachedNodes(graph);
		const sum = this.#agents.get(agent);
		const nodes = graph.nodes
			.filter(({ id }) => reached.has(id))
			.map(node => {
				const path = [...graphPath, 'nodes', node.at];
				const handles = handlesOf(node);
				return {
					id: node.id,
					title: node.title,
					line: read.lineOf(path) - 1,
					endLine: endLine(read, path),
					count: sum?.nodes.get(node.id) ?? 0,
					ways:
						handles.length < 2 ? [] : handles.map(handle => wayOf(node, handle, path, read, sum?.ways.get(`${node.id}/${handle}`) ?? 0)),
				};
			});
		return { agent, file, nodes };
	}
}

function wayOf(node: GraphNode, handle: string, path: Path, read: AgentText, count: number): CoveredWay {
	const branch = branchItem(node, handle);
	return { handle, title: branch?.title ?? handle, count, line: read.lineOf(branch ? [...path, 'data', ...branch.path] : path) - 1 };
}

function endLine(read: AgentText, path: Path): number {
	const node = read.document?.getIn([...path], true) as { readonly range?: readonly [number, number, number] | null } | undefined;
	// the end of a block is the beginning of the line after it
	return node?.range ? Math.max(read.lineOf(path), read.lineAt(Math.max(0, node.range[1] - 1))) - 1 : read.lineOf(path) - 1;
}
