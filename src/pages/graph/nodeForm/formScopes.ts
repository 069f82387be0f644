import type { AgentGraph, GraphNode } from '#agentFile/agentGraph.ts';
import { scopesBefore } from '#agentFile/agentVariables.ts';
import type { FormScope } from './formTypes.ts';

/** What the fields of a node can refer to. */
export function formScopes(graph: AgentGraph, own: GraphNode, isKnownType: (type: string) => boolean): readonly FormScope[] {
	return scopesBefore(graph, own, isKnownType)
		.filter(({ variables, open }) => variables.length > 0 || open)
		.map(({ id, node, variables, open }) => ({ id, title: node?.title ?? id, type: node?.type ?? '', variables, open }));
}

/** Whether a variable of a type can stand where only these types are taken; one whose type is not known can. */
function isTaken(type: string, takes: readonly string[]): boolean {
	return takes.length === 0 || type === '' || takes.some(each => type === each || (each === 'array' && type.startsWith('array')));
}

/** Which of the types that there are can stand where only these are taken; `undefined` where all can. */
export function takenTypes(scopes: readonly FormScope[], takes: readonly string[]): readonly string[] | undefined {
	const types = scopes.flatMap(({ variables }) => variables.map(({ type }) => type));
	return takes.length === 0 ? undefined : [...new Set(types)].filter(type => isTaken(type, takes));
}

/** Type of the variable that a selector names; empty where it is not known, as what lies inside a value. */
export function typeOfSelector(selector: unknown, scopes: readonly FormScope[]): string {
	const [id, name, ...keys] = Array.isArray(selector) ? selector.map(String) : [];
	const scope = keys.length === 0 ? scopes.find(each => each.id === id) : undefined;
	return scope?.variables.find(each => each.name === name)?.type ?? '';
}

/** A variable to begin with: the one that comes last before the node and is taken. */
export function nearestVariable(scopes: readonly FormScope[], takes: readonly string[]): readonly string[] {
	const nodes = scopes.filter(({ type }) => type !== '');
	for (const { id, variables } of [...nodes.toReversed(), ...scopes]) {
		const variable = variables.find(({ type }) => isTaken(type, takes));
		if (variable) {
			return [id, variable.name];
		}
	}
	return [];
}
