import { getField, toFields } from '#base/records/plainValues.ts';
import { type GraphNode, graphPath, isContainer, isInnerStart, isStart } from '../agentGraph.ts';
import { listVariableScopes } from '../agentVariables.ts';
import { containerSize, firstPoint } from '../layout/geometry.ts';
import { getNodeRole } from '../nodeKinds/nodeKinds.ts';
import type { ValueEdit } from '../writing/valueEdits.ts';
import { checkDepth } from './adding.ts';
import { CanvasSpace } from './canvasSpace.ts';
import { createEdge, createEdgeInsertion, reconnectEdge } from './connecting.ts';
import type { EditedFile } from './editedFile.ts';
import { canBePlacedIn, createNewNodeId, createNodes, getContainerFields, getInnerStartId } from './newNode.ts';
import { roundPoint } from './places.ts';

/** Space to the right of and below the wrapped nodes. */
const inset = 24;

/** Moves nodes of one level into a new container, which gets the edges to and from them. */
export function wrapNodes(
	file: EditedFile,
	ids: readonly string[],
	type: 'iteration' | 'loop',
): { edits: ValueEdit[]; made: readonly string[] } {
	const nodes = [...new Set(ids)].map(id => file.getNode(id));
	const inner = new Set(ids);
	const [first] = nodes;
	if (!first) {
		return file.throwRefused(file.t('Select the nodes to wrap.'));
	}
	checkNodes(file, nodes, type);
	const { edges } = file.graph;
	const within = edges.filter(({ source, target }) => inner.has(source) && inner.has(target));
	const into = edges.filter(({ source, target }) => !inner.has(source) && inner.has(target));
	const outOf = edges.filter(({ source, target }) => inner.has(source) && !inner.has(target));
	const entry = findEntryNode(file, nodes, within, into);
	checkExits(file, outOf);
	checkCycle(file, inner, into, outOf);

	const id = createNewNodeId(file, type);
	const parent = first.parent === undefined ? undefined : file.getNode(first.parent);
	const space = new CanvasSpace(file);
	const rects = nodes.map(node => space.getRect(node.id));
	const corner = roundPoint({ x: Math.min(...rects.map(({ x }) => x)), y: Math.min(...rects.map(({ y }) => y)) });
	const old = {
		...corner,
		width: Math.max(...rects.map(({ x, width }) => x + width)) - corner.x,
		height: Math.max(...rects.map(({ y, height }) => y + height)) - corner.y,
	};
	const size = {
		width: Math.max(containerSize.width, old.width + firstPoint.x + inset),
		height: Math.max(containerSize.height, old.height + firstPoint.y + inset),
	};
	// the container starts where the nodes were and displaces what is in its way
	const now = { ...corner, ...size };
	space.makeRoom(parent?.id, old, now, inner);
	space.clearRect(parent?.id, now, inner);
	space.growContainer(parent?.id, [now]);
	for (const [at, node] of nodes.entries()) {
		const { x = 0, y = 0 } = rects[at] ?? {};
		space.placeNode(node.id, { x: x - corner.x + firstPoint.x, y: y - corner.y + firstPoint.y }, corner);
	}
	const [container, start] = createNodes(file, { id, type, parent, place: corner, before: into[0]?.source });
	const output = findOutput(file, outOf[0]?.source ?? nodes.at(-1)?.id);
	const data = {
		...toFields(container?.['data']),
		...size,
		...(type === 'iteration' && output ? { output_selector: output } : {}),
	};
	const end = { id, type, parent: parent?.id };
	const startNode = { id: getInnerStartId(id), type: `${type}-start`, parent: id };
	const seen = new Set<string>();
	const isNewEnd = (key: string) => !seen.has(key) && seen.add(key);
	const createEdgeRemoval = (at: number): ValueEdit => ({ kind: 'remove', path: [...graphPath, 'edges'], at });
	return {
		made: [id, startNode.id],
		edits: [
			{
				kind: 'insert',
				path: [...graphPath, 'nodes'],
				at: file.rawNodes.length,
				values: [{ ...container, ...(container && 'width' in container ? size : {}), data }, start],
			},
			createEdgeInsertion(file, [createEdge(file, startNode, 'source', entry, type)]),
			...nodes.flatMap(node => createInnerNodeEdits(file, node, end)),
			...within.flatMap(({ at }) => createInnerEdgeEdits(file, at, end)),
			...into.flatMap(edge =>
				isNewEnd(`${edge.source} ${edge.handle}`) ? reconnectEdge(file, edge, { target: end }) : [createEdgeRemoval(edge.at)],
			),
			...outOf.flatMap(edge =>
				isNewEnd(`> ${edge.target}`) ? reconnectEdge(file, edge, { source: { ...end, handle: 'source' } }) : [createEdgeRemoval(edge.at)],
			),
			...space.getEdits(),
		],
	};
}

type Edges = EditedFile['graph']['edges'];

function checkNodes(file: EditedFile, nodes: readonly GraphNode[], type: 'iteration' | 'loop'): void {
	const [first] = nodes;
	for (const node of nodes) {
		if (node.parent !== first?.parent) {
			file.throwRefused(
				file.t(
					"'{0}' and '{1}' are on different levels. Only nodes on the same level can be wrapped together.",
					first?.title ?? '',
					node.title,
				),
			);
		}
		if (isStart(node) || isInnerStart(node) || getNodeRole(node.type) === 'end') {
			file.throwRefused(file.t("'{0}' is a start or end node, which can't be wrapped.", node.title || node.id));
		}
		if (!canBePlacedIn(node.type, type)) {
			file.throwRefused(file.t("Nodes of type '{0}' can't be placed in an iteration or loop.", node.type));
		}
		const measureDepth = ({ id, type: inner }: GraphNode): number =>
			isContainer(inner) ? 1 + Math.max(0, ...file.graph.nodes.filter(each => each.parent === id).map(measureDepth)) : 0;
		checkDepth(file, 1 + measureDepth(node), node.parent);
	}
	const named = first?.parent === undefined ? '' : getField(file.getNode(first.parent).data, 'start_node_id');
	const start = nodes.find(({ id }) => id === named);
	if (start) {
		file.throwRefused(file.t("'{0}' is a start or end node, which can't be wrapped.", start.title));
	}
}

/** Finds the node that iterations start with. */
function findEntryNode(file: EditedFile, nodes: readonly GraphNode[], within: Edges, into: Edges): GraphNode {
	const entered = new Set(into.map(({ target }) => target));
	const reached = new Set(within.map(({ target }) => target));
	const entries = nodes.filter(({ id }) => entered.has(id) || !reached.has(id));
	const [entry, other] = entries;
	if (!entry || other) {
		file.throwRefused(
			file.t(
				"An iteration must start with one node, but '{0}' and '{1}' would both be first. Select other nodes, or connect these two.",
				entry?.title ?? nodes[0]?.title ?? '',
				other?.title ?? '',
			),
		);
	}
	return entry;
}

/** Checks that all outgoing edges lead to the same nodes, because the container has a single output handle. */
function checkExits(file: EditedFile, outOf: Edges): void {
	const exits = Map.groupBy(outOf, ({ source, handle }) => `${source} ${handle}`);
	const targets = [...exits.values()].map(edges =>
		edges
			.map(({ target }) => target)
			.toSorted()
			.join(' '),
	);
	if (new Set(targets).size > 1) {
		const [one, other] = [...exits.values()].map(([edge]) => file.getNodeName(edge?.target ?? ''));
		file.throwRefused(
			file.t(
				"An iteration or loop has only one output handle, but '{0}' and '{1}' follow different ones. Select other nodes.",
				one ?? '',
				other ?? '',
			),
		);
	}
}

/** Checks that the nodes after the wrapped ones don't lead back to them. */
function checkCycle(file: EditedFile, inner: ReadonlySet<string>, into: Edges, outOf: Edges): void {
	const reached = new Set(outOf.map(({ target }) => target));
	for (const id of reached) {
		for (const { source, target } of file.graph.edges) {
			if (source === id && !inner.has(target)) {
				reached.add(target);
			}
		}
	}
	const back = into.find(({ source }) => reached.has(source));
	if (back) {
		file.throwRefused(
			file.t("'{0}' is between the selected nodes, so the edges would form a cycle. Select it too.", file.getNodeName(back.source)),
		);
	}
}

/** Creates the edits that a node needs inside a container. */
function createInnerNodeEdits(file: EditedFile, node: GraphNode, container: Pick<GraphNode, 'id' | 'type'>): ValueEdit[] {
	const createFieldEdit = (value: unknown, ...path: string[]): ValueEdit => ({
		kind: 'set',
		path: file.getNodePath(node.id, ...path),
		value,
	});
	const wanted = getContainerFields(container.type, container.id);
	const gone = (['iteration_id', 'loop_id'] as const).filter(field => node.data && field in node.data && !(field in wanted));
	return [
		...Object.entries(wanted).map(([field, value]) => createFieldEdit(value, 'data', field)),
		...gone.map(field => createFieldEdit(undefined, 'data', field)),
		createFieldEdit(container.id, 'parentId'),
		...(file.getRawNode(node.id)['zIndex'] === undefined ? [] : [createFieldEdit(1002, 'zIndex')]),
	];
}

function createInnerEdgeEdits(file: EditedFile, at: number, container: Pick<GraphNode, 'id' | 'type'>): ValueEdit[] {
	const raw = toFields(file.rawEdges[at]);
	const path = [...graphPath, 'edges', at];
	const wanted = getContainerFields(container.type, container.id);
	const gone = ['iteration_id', 'loop_id'].filter(field => getField(raw['data'], field) !== undefined && !(field in wanted));
	return [
		...(raw['data'] === undefined
			? []
			: Object.entries(wanted).map(([field, value]): ValueEdit => ({ kind: 'set', path: [...path, 'data', field], value }))),
		...gone.map((field): ValueEdit => ({ kind: 'set', path: [...path, 'data', field], value: undefined })),
		...(raw['zIndex'] === undefined ? [] : [{ kind: 'set', path: [...path, 'zIndex'], value: 1002 } as const]),
	];
}

/** Returns the selector of the last node's output. */
function findOutput(file: EditedFile, id: string | undefined): readonly string[] | undefined {
	const [variable] = listVariableScopes(file.graph, () => true).find(scope => scope.id === id)?.variables ?? [];
	return id !== undefined && variable ? [id, variable.name] : undefined;
}
