import { type AgentGraph, isStart, reachedNodes } from '../agentGraph.ts';
import { type Referrer, referrersIn } from '../edits/referrers.ts';

/** Types of nodes that fail if a variable doesn't exist. Others read it as an empty value. */
const failingTypes: ReadonlySet<string> = new Set(['llm', 'if-else', 'iteration', 'loop', 'list-operator', 'document-extractor']);

/** Returns the inputs of an agent without which a node fails that a run can reach: the title of the first such node, by the input's name. */
export function neededInputs(graph: AgentGraph): ReadonlyMap<string, string> {
	const reached = reachedNodes(graph);
	const nodes = graph.nodes.filter(node => reached.has(node.id) && failingTypes.has(node.type));
	const starts = graph.nodes.filter(isStart).map(({ id }) => id);
	const types = new Map(nodes.map(({ id, type }) => [id, type]));
	const needed = new Map<string, string>();
	for (const { node, title, path, variable } of referrersIn(nodes, starts)) {
		const [name = ''] = variable.split('.');
		if (failsWithout(types.get(node), path) && !needed.has(name)) {
			needed.set(name, title);
		}
	}
	return needed;
}

function failsWithout(type: string | undefined, path: Referrer['path']): boolean {
	return type === 'llm' ? path[0] === 'prompt_template' || path[0] === 'prompt_config' : /^variable$|selector$/.test(String(path.at(-1)));
}
