import { getField, toFields } from '#base/records/plainValues.ts';
import { type GraphEdge, type GraphNode, getOutputHandles, graphPath, isInnerStart, isStart } from '../agentGraph.ts';
import { getNodeRole } from '../nodeKinds/nodeKinds.ts';
import type { ValueEdit } from '../writing/valueEdits.ts';
import type { EditedFile } from './editedFile.ts';
import type { NodeExit } from './graphOperations.ts';
import { getContainerFields, sortFieldsLike } from './newNode.ts';

const edgesPath = [...graphPath, 'edges'];

/**
 * Creates the edits that connect two nodes.
 * @throws {Refused} if the engine wouldn't follow the edge
 */
export function connectNodes(file: EditedFile, from: NodeExit, target: string): ValueEdit[] {
	const handle = from.handle === 'success-branch' ? 'source' : from.handle;
	const [source, to] = [file.getNode(from.node), file.getNode(target)];
	checkEdgeEnds(file, source, handle, to);
	if (file.graph.edges.some(edge => isSameEdge(edge, { node: from.node, handle }, target))) {
		file.throwRefused(file.t("'{0}' is already connected to '{1}'.", source.title, to.title));
	}
	if (isNodeReachable(file.graph.edges, target, from.node)) {
		file.throwRefused(
			file.t("'{1}' leads to '{0}', so this edge would create a cycle. Use a loop node to repeat nodes.", source.title, to.title),
		);
	}
	return [createEdgeInsertion(file, [createEdge(file, source, handle, to)])];
}

export function disconnectNodes(file: EditedFile, from: NodeExit, target: string): ValueEdit[] {
	const found = file.graph.edges.filter(edge => isSameEdge(edge, from, target));
	if (found.length === 0) {
		file.throwRefused(file.t("The edge from '{0}' to '{1}' doesn't exist.", file.getNodeName(from.node), file.getNodeName(target)));
	}
	return found.map(({ at }) => ({ kind: 'remove', path: edgesPath, at }));
}

/** Creates the edit that appends edges. */
export function createEdgeInsertion(file: EditedFile, edges: readonly unknown[]): ValueEdit {
	return { kind: 'insert', path: edgesPath, at: file.rawEdges.length, values: edges };
}

/** Creates an edge like Dify, with its fields in the order of the file's other edges. */
export function createEdge(
	file: EditedFile,
	source: Pick<GraphNode, 'id' | 'type' | 'parent'>,
	handle: string,
	target: Pick<GraphNode, 'id' | 'type'>,
	parentType: string | undefined = source.parent === undefined ? undefined : file.nodes.get(source.parent)?.type,
): Readonly<Record<string, unknown>> {
	const edge = {
		id: formatEdgeId(source.id, handle, target.id),
		source: source.id,
		sourceHandle: handle,
		target: target.id,
		targetHandle: 'target',
		type: 'custom',
		data: { ...getContainerFields(parentType, source.parent), sourceType: source.type, targetType: target.type },
		zIndex: source.parent === undefined ? 0 : 1002,
	};
	const like = file.rawEdges.at(-1);
	return sortFieldsLike(like, { ...edge, data: sortFieldsLike(getField(like, 'data'), edge.data) });
}

/** Connects an edge to other nodes. Changes only the fields that name these nodes. */
export function reconnectEdge(
	file: EditedFile,
	edge: GraphEdge,
	ends: { readonly source?: GraphEnd & { readonly handle: string }; readonly target?: GraphEnd },
): ValueEdit[] {
	const path = [...edgesPath, edge.at];
	const raw = toFields(file.rawEdges[edge.at]);
	const data = toFields(raw['data']);
	const source = ends.source ?? { id: edge.source, handle: edge.handle };
	const createFieldEdit = (field: readonly string[], value: unknown): ValueEdit => ({ kind: 'set', path: [...path, ...field], value });
	return [
		...(raw['id'] === undefined ? [] : [createFieldEdit(['id'], formatEdgeId(source.id, source.handle, ends.target?.id ?? edge.target))]),
		...(ends.source ? [createFieldEdit(['source'], source.id), createFieldEdit(['sourceHandle'], source.handle)] : []),
		...(ends.source && data['sourceType'] !== undefined ? [createFieldEdit(['data', 'sourceType'], ends.source.type)] : []),
		...(ends.target ? [createFieldEdit(['target'], ends.target.id)] : []),
		...(ends.target && data['targetType'] !== undefined ? [createFieldEdit(['data', 'targetType'], ends.target.type)] : []),
	];
}

type GraphEnd = Pick<GraphNode, 'id' | 'type'>;

export function formatEdgeId(source: string, handle: string, target: string): string {
	return `${source}-${handle}-${target}-target`;
}

/** @throws {Refused} if no edge can lead from one node to the other */
function checkEdgeEnds(file: EditedFile, source: GraphNode, handle: string, target: GraphNode): void {
	if (source.parent !== target.parent) {
		file.throwRefused(
			file.t("Can't connect '{0}' and '{1}': an edge can't cross the border of an iteration or loop.", source.title, target.title),
		);
	}
	if (isStart(target) || isInnerStart(target)) {
		file.throwRefused(file.t("'{0}' is a start node. No edge can lead to it.", target.title || target.id));
	}
	checkExit(file, source, handle);
}

/** @throws {Refused} if the node has no such output handle */
export function checkExit(file: EditedFile, source: GraphNode, handle: string): void {
	if (getNodeRole(source.type) === 'end') {
		file.throwRefused(file.t("'{0}' is an end node. No node can follow it.", source.title));
	}
	const handles = getOutputHandles(source);
	if (!handles.includes(handle)) {
		file.throwRefused(file.t("'{0}' has no output handle '{1}'. Expected one of {2}.", source.title, handle, handles.join(', ')));
	}
}

/** True if edges lead from one node to another, or both are the same. */
function isNodeReachable(edges: readonly GraphEdge[], from: string, to: string): boolean {
	const targets = Map.groupBy(edges, ({ source }) => source);
	const reached = new Set([from]);
	for (const id of reached) {
		for (const { target } of targets.get(id) ?? []) {
			reached.add(target);
		}
	}
	return reached.has(to);
}

function isSameEdge(edge: GraphEdge, { node, handle }: NodeExit, target: string): boolean {
	return edge.source === node && edge.target === target && edge.handle === (handle === 'success-branch' ? 'source' : handle);
}
