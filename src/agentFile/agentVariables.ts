import { getField, getFieldText, getItems, toFields } from '#base/records/plainValues.ts';
import { type AgentGraph, findNodesBefore, type GraphNode } from './agentGraph.ts';
import type { DeclaredVariables, KindData } from './nodeKinds/nodeKind.ts';
import { findNodeKind } from './nodeKinds/nodeKinds.ts';

/** A value that a reference can name. */
export interface Variable {
	readonly name: string;
	/** Type name as in agent files; empty if unknown. */
	readonly type: string;
	/** Description from the file, if any. */
	readonly description?: string;
}

/** Variables that references name with the same first segment: a node ID, `sys`, `env` or `conversation`. */
export interface Scope {
	readonly id: string;
	/** The node that the variables come from; absent for other scopes. */
	readonly node?: GraphNode;
	readonly variables: readonly Variable[];
	/** True if the scope can have variables that aren't listed. */
	readonly open: boolean;
}

/** System variables of every run (workflow DSL, "Referring to variables"). */
const system = [
	'query:string',
	'files:array[file]',
	'conversation_id:string',
	'user_id:string',
	'dialogue_count:number',
	'app_id:string',
	'workflow_id:string',
	'workflow_run_id:string',
	'timestamp:number',
];

/** Returns all variables that references in an agent file can name, in the order of the file. */
export function listVariableScopes(graph: AgentGraph, isKnownType: (type: string) => boolean): readonly Scope[] {
	const createScope = (name: string): Scope => ({
		id: name,
		variables: getItems(graph.workflow, `${name === 'env' ? 'environment' : name}_variables`).map(each =>
			createVariable(getFieldText(each, 'name'), getFieldText(each, 'value_type'), getFieldText(each, 'description')),
		),
		open: false,
	});
	const nodes = graph.nodes.map(node => ({
		id: node.id,
		node,
		variables: getOutputs(node),
		open: findNodeKind(node.type)?.openOutputs === true || !isKnownType(node.type),
	}));
	return [...nodes, createScope('env'), createScope('conversation'), { id: 'sys', variables: system.map(parseVariable), open: true }];
}

/**
 * Returns the variables that a node can refer to: those of the nodes before it, and those that don't come from a node. Returns all
 * variables if no node is given or no edge leads to it.
 */
export function listScopesBefore(graph: AgentGraph, own: GraphNode | undefined, isKnownType: (type: string) => boolean): readonly Scope[] {
	const before = own ? findNodesBefore(graph, own.id) : new Set<string>();
	// a container can refer to its inner nodes, and a node without edges may be placed anywhere later
	const isScopeReachable = ({ node }: Scope) => !node || before.size === 0 || before.has(node.id) || (own && node.parent === own.id);
	return listVariableScopes(graph, isKnownType).filter(scope => scope.node?.id !== own?.id && isScopeReachable(scope));
}

/** Caches the outputs of nodes by `data`, which stays the same object until its text changes. */
const known = new WeakMap<object, { readonly type: string; readonly variables: readonly Variable[] }>();

function getOutputs(node: GraphNode): readonly Variable[] {
	const { type, data } = node;
	const before = data && known.get(data);
	if (before?.type === type) {
		return before.variables;
	}
	const variables = readOutputs(node);
	if (data) {
		known.set(data, { type, variables });
	}
	return variables;
}

function readOutputs({ type, data }: GraphNode): readonly Variable[] {
	const failures = ['fail-branch', 'default-value'].includes(getFieldText(data, 'error_strategy'))
		? ['error_message:string', 'error_type:string'].map(parseVariable)
		: [];
	const defaults = getItems(data, 'default_value').map(each => createVariable(getFieldText(each, 'key'), getFieldText(each, 'type')));
	const { outputs = [], listMoreOutputs: moreOutputs, declares } = findNodeKind(type) ?? {};
	return [
		...outputs.map(parseVariable),
		...(moreOutputs?.(data ?? {}) ?? []),
		...(declares ? readDeclaredOutputs(declares, data) : []),
		...failures,
		...defaults,
	].filter(({ name }, at, all) => name !== '' && all.findIndex(each => each.name === name) === at);
}

function readDeclaredOutputs({ at, name, type, description, isInput }: DeclaredVariables, data: KindData | undefined): readonly Variable[] {
	if (type === undefined) {
		return [];
	}
	const value = at.reduce(getField, data);
	const entries =
		name === undefined
			? Object.entries(toFields(value))
			: Array.isArray(value)
				? value.map(each => [getFieldText(each, name), each] as const)
				: [];
	return entries.map(([variable, each]) =>
		createVariable(
			variable,
			isInput ? toValueType(getFieldText(each, type)) : getFieldText(each, type),
			description && getFieldText(each, description),
		),
	);
}

function toValueType(type: string): string {
	const types = { number: 'number', checkbox: 'boolean', file: 'file', 'file-list': 'array[file]', json_object: 'object' };
	return String(getField(types, type) ?? 'string');
}

function createVariable(name: string, type: string, description = ''): Variable {
	return { name, type, ...(description && description !== name ? { description } : {}) };
}

function parseVariable(text: string): Variable {
	const [name = '', type = ''] = text.split(':');
	return { name, type };
}
