import { findBranchItem, findReachableNodes, type GraphNode, getOutputHandles, graphPath, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText, type Path } from '#agentFile/agentText.ts';
import type { CaseCoverage } from '../results/caseResult.ts';

/** An output handle of a node, reported as a branch. */
interface CoveredBranch {
	readonly handle: string;
	/** Name of a class or action, otherwise the handle. */
	readonly title: string;
	/** Line of the branch in the agent file, from 0. */
	readonly line: number;
	/** Number of times that runs took this branch. */
	readonly count: number;
}

/** A node of an agent file, reported as a statement. Lines start at 0, as in VS Code. */
export interface CoveredNode {
	readonly id: string;
	readonly title: string;
	readonly line: number;
	readonly endLine: number;
	/** Number of times that the node ran. */
	readonly count: number;
	/** Output handles, if there are several. */
	readonly ways: readonly CoveredBranch[];
}

/** Coverage of one agent file: all nodes that runs can reach. */
export interface AgentCoverage {
	readonly agent: string;
	readonly file: string;
	readonly nodes: readonly CoveredNode[];
}

/** Adds up the coverage of several runs. */
export class CoverageSum {
	readonly #agents = new Map<string, { readonly nodes: Map<string, number>; readonly ways: Map<string, number> }>();

	/** Adds the coverage of one run. */
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

	/** Names of the covered agents. */
	get agents(): readonly string[] {
		return [...this.#agents.keys()];
	}

	/** Returns the coverage of an agent for the text of its file; no nodes if it can't be read. */
	getAgentCoverage(agent: string, file: string, text: string): AgentCoverage {
		const read = new AgentText(text);
		const graph = readAgentGraph(read.content);
		const reached = findReachableNodes(graph);
		const sum = this.#agents.get(agent);
		const nodes = graph.nodes
			.filter(({ id }) => reached.has(id))
			.map(node => {
				const path = [...graphPath, 'nodes', node.at];
				const handles = getOutputHandles(node);
				return {
					id: node.id,
					title: node.title,
					line: read.getLineOfPath(path) - 1,
					endLine: findEndLine(read, path),
					count: sum?.nodes.get(node.id) ?? 0,
					ways:
						handles.length < 2
							? []
							: handles.map(handle => createBranch(node, handle, path, read, sum?.ways.get(`${node.id}/${handle}`) ?? 0)),
				};
			});
		return { agent, file, nodes };
	}
}

function createBranch(node: GraphNode, handle: string, path: Path, read: AgentText, count: number): CoveredBranch {
	const branch = findBranchItem(node, handle);
	return { handle, title: branch?.title ?? handle, count, line: read.getLineOfPath(branch ? [...path, 'data', ...branch.path] : path) - 1 };
}

function findEndLine(read: AgentText, path: Path): number {
	const node = read.document?.getIn([...path], true) as { readonly range?: readonly [number, number, number] | null } | undefined;
	// the end of a block is the start of the next line
	return node?.range
		? Math.max(read.getLineOfPath(path), read.getLineAt(Math.max(0, node.range[1] - 1))) - 1
		: read.getLineOfPath(path) - 1;
}
