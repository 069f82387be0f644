import type { AgentGraph, GraphNode } from '#agentFile/agentGraph.ts';
import { listScopesBefore } from '#agentFile/agentVariables.ts';
import type { FormScope } from './formTypes.ts';

/** Returns the variables that fields of a node can refer to, by node. */
export function getFormScopes(graph: AgentGraph, own: GraphNode, isKnownType: (type: string) => boolean): readonly FormScope[] {
	return listScopesBefore(graph, own, isKnownType)
		.filter(({ variables, open }) => variables.length > 0 || open)
		.map(({ id, node, variables, open }) => ({ id, title: node?.title ?? id, type: node?.type ?? '', variables, open }));
}

/** True if a variable of this type is accepted. Unknown types are accepted. */
function isTypeAccepted(type: string, takes: readonly string[]): boolean {
	return takes.length === 0 || type === '' || takes.some(each => type === each || (each === 'array' && type.startsWith('array')));
}

/** Returns the accepted types that a variable has; `undefined` if all types are accepted. */
export function filterAcceptedTypes(scopes: readonly FormScope[], takes: readonly string[]): readonly string[] | undefined {
	const types = scopes.flatMap(({ variables }) => variables.map(({ type }) => type));
	return takes.length === 0 ? undefined : [...new Set(types)].filter(type => isTypeAccepted(type, takes));
}

/** Returns the type of the variable that a selector names; empty if unknown, such as for keys inside a value. */
export function getSelectorType(selector: unknown, scopes: readonly FormScope[]): string {
	const [id, name, ...keys] = Array.isArray(selector) ? selector.map(String) : [];
	const scope = keys.length === 0 ? scopes.find(each => each.id === id) : undefined;
	return scope?.variables.find(each => each.name === name)?.type ?? '';
}

/** Finds the default variable: the nearest one before the node that is accepted. */
export function findNearestVariable(scopes: readonly FormScope[], takes: readonly string[]): readonly string[] {
	const nodes = scopes.filter(({ type }) => type !== '');
	for (const { id, variables } of [...nodes.toReversed(), ...scopes]) {
		const variable = variables.find(({ type }) => isTypeAccepted(type, takes));
		if (variable) {
			return [id, variable.name];
		}
	}
	return [];
}
