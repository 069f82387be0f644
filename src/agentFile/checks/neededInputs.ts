import { type AgentGraph, isStart, reachedNodes } from '../agentGraph.ts';
import { type Referrer, referrersIn } from '../edits/referrers.ts';
import type { NodeKind } from '../nodeKinds/nodeKind.ts';
import { kindOf } from '../nodeKinds/nodeKinds.ts';

/** Returns the agent inputs that a reachable node can't run without, with the title of the first such node, by input name. */
export function neededInputs(graph: AgentGraph): ReadonlyMap<string, string> {
	const reached = reachedNodes(graph);
	const nodes = graph.nodes.filter(node => reached.has(node.id) && kindOf(node.type)?.failsWithout);
	const starts = graph.nodes.filter(isStart).map(({ id }) => id);
	const kinds = new Map(nodes.map(({ id, type }) => [id, kindOf(type)]));
	const needed = new Map<string, string>();
	for (const { node, title, path, variable } of referrersIn(nodes, starts)) {
		const [name = ''] = variable.split('.');
		if (isNeeded(kinds.get(node)?.failsWithout, path) && !needed.has(name)) {
			needed.set(name, title);
		}
	}
	return needed;
}

function isNeeded(failsWithout: NodeKind['failsWithout'], path: Referrer['path']): boolean {
	return failsWithout === 'prompts'
		? path[0] === 'prompt_template' || path[0] === 'prompt_config'
		: /^variable$|selector$/.test(String(path.at(-1)));
}
