import type { JSONPath, Node } from 'jsonc-parser';
import { getField, getItems } from '#base/records/plainValues.ts';
import { type findClosestNames, joinNames } from '#base/text/closestNames.ts';
import type { Translate } from '#base/text/localization.ts';
import { getNameRange, getValueRange } from '#base/text/textFaults.ts';
import {
	type AgentGraph,
	findInnerStarts,
	findReachableNodes,
	type GraphEdge,
	type GraphNode,
	getOutputHandles,
	graphPath,
	isContainer,
	isStart,
} from '../agentGraph.ts';
import { listVariableScopes, type Scope } from '../agentVariables.ts';
import type { Reference } from '../names/referencesIn.ts';
import { findNodeKind } from '../nodeKinds/nodeKinds.ts';
import { findNodeAt } from '../yamlTree.ts';
import type { AgentDiagnostic } from './agentFaults.ts';
import type { AgentSchema } from './agentSchema.ts';
import type { CleanItems } from './cleanItems.ts';

/** Finds problems in the graph of an agent file: in its IDs, start nodes, edges and references. */
export function findGraphFaults(
	graph: AgentGraph,
	{ root, text, content }: { readonly root: Node; readonly text: string; readonly content: unknown },
	schema: AgentSchema,
	t: Translate,
	clean: CleanItems,
	suggest: typeof findClosestNames,
): AgentDiagnostic[] {
	const scopes = new Map(listVariableScopes(graph, type => schema.isNodeType(type)).map(scope => [scope.id, scope]));
	const written = getItems(getField(getField(content, 'workflow'), 'graph'), 'nodes');
	const references = graph.nodes.flatMap(({ at }) => {
		const path = [...graphPath, 'nodes', at, 'data'];
		return clean.findSuspectReferences(written[at], { getData: () => findNodeAt(root, path), path, text }, selector =>
			isResolvable(selector, scopes),
		);
	});
	return [
		...checkGraphNodes(graph, root, t),
		...checkEdges(graph, root, t, suggest),
		...references.flatMap(reference => checkReference(reference, scopes, t, suggest)),
	];
}

function checkGraphNodes(graph: AgentGraph, root: Node, t: Translate): AgentDiagnostic[] {
	const { nodes } = graph;
	const faults: AgentDiagnostic[] = [];
	const list = findNodeAt(root, [...graphPath, 'nodes']);
	/** Adds a problem at the value at a path, or at the node's ID if there is no such value. */
	const addFault = (severity: AgentDiagnostic['severity'], path: JSONPath, at: number, message: string) => {
		const whole = [...graphPath, 'nodes', at, ...path];
		const place = (path.length > 0 && findNodeAt(root, whole)) || findNodeAt(root, [...graphPath, 'nodes', at, 'id']) || root;
		faults.push({ code: 'graph', severity, path: whole, ...getValueRange(place), message });
	};
	const placed = nodes.filter(({ data }) => data);
	const above = new Set<string>();
	for (const node of placed) {
		if (above.has(node.id)) {
			addFault('error', ['id'], node.at, t("The ID '{0}' is already used by a node above.", node.id));
		}
		above.add(node.id);
	}
	if (!placed.some(isStart) && list?.type === 'array') {
		const message = t('The graph has no start node or trigger.');
		faults.push({ code: 'graph', severity: 'error', path: [...graphPath, 'nodes'], ...getNameRange(list), message });
	}
	const reached = findReachableNodes(graph);
	const byParent = Map.groupBy(nodes, ({ parent }) => parent);
	for (const node of placed.filter(({ type }) => isContainer(type))) {
		if (findInnerStarts(byParent.get(node.id) ?? [], node).length === 0) {
			const message = t("'{0}' has no inner start node. Add a node of type '{1}' with the parentId '{0}'.", node.id, `${node.type}-start`);
			addFault(reached.has(node.id) ? 'error' : 'warning', ['data', 'start_node_id'], node.at, message);
		}
	}
	return faults;
}

function checkEdges({ nodes, edges }: AgentGraph, root: Node, t: Translate, suggest: typeof findClosestNames): AgentDiagnostic[] {
	// of two nodes with the same ID, use the first
	const byId = new Map(nodes.toReversed().map(node => [node.id, node]));
	return edges.flatMap(edge => checkEdge(edge, byId, root, t, suggest));
}

function checkEdge(
	{ source, target, handle, at }: GraphEdge,
	nodes: ReadonlyMap<string, GraphNode>,
	root: Node,
	t: Translate,
	suggest: typeof findClosestNames,
): AgentDiagnostic[] {
	const faults: AgentDiagnostic[] = [];
	const add = (name: string, message: string, suggestions: readonly string[]) => {
		const path = [...graphPath, 'edges', at, name];
		const place = findNodeAt(root, path) ?? findNodeAt(root, path.slice(0, -1)) ?? root;
		faults.push({ code: 'graph', severity: 'warning', path, ...getValueRange(place), message, suggestions });
	};
	for (const [name, id] of [
		['source', source],
		['target', target],
	] as const) {
		if (id !== '' && !nodes.has(id)) {
			add(name, t("Unknown node '{0}'. The edge is ignored.", id), suggest(id, [...nodes.keys()].toReversed()));
		}
	}
	const from = nodes.get(source);
	const handles = from ? getOutputHandles(from) : [];
	const branches = from && findNodeKind(from.type)?.branches;
	if (branches && !branches.byPerson && !handles.includes(handle)) {
		add(
			'sourceHandle',
			t("'{0}' has no output handle '{1}', so runs never follow this edge. Expected one of {2}.", source, handle, joinNames(handles)),
			suggest(handle, handles),
		);
	}
	return faults;
}

/** True if a selector names a variable that exists or may exist. */
function isResolvable([id = '', name = '']: readonly string[], scopes: ReadonlyMap<string, Scope>): boolean {
	const scope = scopes.get(id);
	return scope ? scope.open || isSystemOutput(scope, name) || scope.variables.some(variable => variable.name === name) : id === 'context';
}

/**
 * Older files select system variables as outputs of the start node: `[start, sys.query]`. They aren't suggested, because `sys` is the
 * name to use.
 */
function isSystemOutput({ node }: Scope, name: string): boolean {
	return node !== undefined && isStart(node) && name.startsWith('sys.');
}

function checkReference(
	{ selector, path, places }: Reference,
	scopes: ReadonlyMap<string, Scope>,
	t: Translate,
	suggest: typeof findClosestNames,
): AgentDiagnostic[] {
	const [id = '', name = ''] = selector;
	const scope = scopes.get(id);
	if (isResolvable(selector, scopes)) {
		return [];
	}
	const createFault = (part: 0 | 1, message: string, names: readonly string[]): AgentDiagnostic[] => {
		const place = places[part] ?? { offset: 0, length: 0 };
		return [{ code: 'reference', severity: 'warning', path, ...place, message, suggestions: suggest(selector[part] ?? '', names) }];
	};
	if (!scope) {
		return createFault(0, t("Unknown node '{0}'. The reference has no value.", id), [...scopes.keys()]);
	}
	const names = scope.variables.map(variable => variable.name);
	const message =
		names.length > 0
			? t("'{0}' has no variable '{1}'. Expected one of {2}.", id, name, joinNames(names))
			: t("'{0}' has no variables, so '{1}' doesn't exist.", id, name);
	return createFault(1, message, names);
}
