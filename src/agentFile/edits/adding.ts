import { getOutputHandles, graphPath, isContainer, isStart } from '../agentGraph.ts';
import { columnGap, containerSize, difyCardSize, firstPoint, type Point } from '../layout/geometry.ts';
import { getNodeRole } from '../nodeKinds/nodeKinds.ts';
import type { ValueEdit } from '../writing/valueEdits.ts';
import { CanvasSpace } from './canvasSpace.ts';
import { checkExit, createEdge, createEdgeInsertion, reconnectEdge } from './connecting.ts';
import type { EditedFile } from './editedFile.ts';
import type { GraphOperation } from './graphOperations.ts';
import { canBePlacedIn, createNewNodeId, createNodes, listAddableTypes } from './newNode.ts';
import { getNodePosition, getNodeSize, roundPoint } from './places.ts';

/** Maximum depth of nested iterations and loops (workflow DSL, "Limits"). */
const maxNesting = 5;

/** Adds a node of a type: on an edge, after an output handle, or unconnected. */
export function addNode(
	file: EditedFile,
	operation: Extract<GraphOperation, { do: 'add' }>,
): { edits: ValueEdit[]; made: readonly string[] } {
	const { type, behind, before } = operation;
	if (!listAddableTypes().includes(type)) {
		file.throwRefused(file.t("Nodes of type '{0}' can't be added. Expected one of {1}.", type, listAddableTypes().join(', ')));
	}
	const source = behind && file.getNode(behind.node);
	const parentId = source ? source.parent : operation.parent;
	const parent = parentId === undefined ? undefined : file.getNode(parentId);
	if (parent && !isContainer(parent.type)) {
		file.throwRefused(file.t("'{0}' isn't an iteration or loop, so it can't contain nodes.", parent.title));
	}
	checkLevel(file, type, parent?.id);
	if (source && isStart({ type, parent: undefined })) {
		file.throwRefused(file.t("A start node can't follow another node."));
	}
	const handle = behind?.handle === 'success-branch' ? 'source' : (behind?.handle ?? 'source');
	if (source) {
		checkExit(file, source, handle);
	}
	const split =
		before === undefined
			? undefined
			: file.graph.edges.find(edge => edge.source === source?.id && edge.handle === handle && edge.target === before);
	if (before !== undefined && (!split || getNodeRole(type) === 'end')) {
		file.throwRefused(
			split
				? file.t("An end node can't be placed between two nodes.")
				: file.t("The edge from '{0}' to '{1}' doesn't exist.", file.getNodeName(source?.id ?? ''), file.getNodeName(before)),
		);
	}
	const id = createNewNodeId(file, type);
	const size = isContainer(type) ? containerSize : difyCardSize;
	const space = new CanvasSpace(file);
	const from = source && space.getRect(source.id);
	const wanted = from ? { x: from.x + from.width + columnGap, y: from.y } : parent ? firstPoint : findPointAfterAll(file);
	const next = split && !operation.at ? getNodePosition(file, split.target) : undefined;
	if (from && next && next.x > from.x) {
		// move the nodes after the edge to make room
		space.pushNodesRight(parent?.id, next.x, wanted.x + size.width + columnGap - next.x);
	}
	const place = roundPoint(operation.at ?? space.findFreePosition(parent?.id, { ...wanted, ...size }));
	space.growContainer(parent?.id, [{ ...place, ...size }]);
	const nodes = createNodes(file, { id, type, parent, place, before: source?.id });
	const made = nodes.map(node => String(node['id']));
	const node = {
		id,
		type,
		parent: parent?.id,
		title: id,
		at: -1,
		data: nodes[0]?.['data'] as Readonly<Record<string, unknown>>,
		position: undefined,
	};
	const edges = [
		...(source && !split ? [createEdge(file, source, handle, node)] : []),
		...(split ? [createEdge(file, node, getOutputHandles(node)[0] ?? 'source', file.getNode(split.target))] : []),
	];
	return {
		made,
		edits: [
			{ kind: 'insert', path: [...graphPath, 'nodes'], at: file.rawNodes.length, values: nodes },
			...(split ? reconnectEdge(file, split, { target: node }) : []),
			...(edges.length > 0 ? [createEdgeInsertion(file, edges)] : []),
			...space.getEdits(),
		],
	};
}

/** @throws {Refused} if a node of the type can't be placed in the container, or at the top level */
export function checkLevel(file: EditedFile, type: string, parent: string | undefined): void {
	if (
		type === 'start' &&
		parent === undefined &&
		[...file.nodes.values()].some(node => node.type === 'start' && node.parent === undefined)
	) {
		file.throwRefused(file.t('The agent already has a start node.'));
	}
	if (!canBePlacedIn(type, file.nodes.get(parent ?? '')?.type)) {
		file.throwRefused(
			canBePlacedIn(type, 'loop')
				? file.t("Nodes of type '{0}' can only be placed in a loop.", type)
				: file.t("Nodes of type '{0}' can't be placed in an iteration or loop.", type),
		);
	}
	if (isContainer(type)) {
		checkDepth(file, 1, parent);
	}
}

/**
 * @param depth number of nested containers to place in the parent
 * @throws {Refused} if containers would be nested too deeply
 */
export function checkDepth(file: EditedFile, depth: number, parent: string | undefined): void {
	let levels = depth;
	for (let id = parent; id !== undefined && levels <= maxNesting; id = file.nodes.get(id)?.parent) {
		levels++;
	}
	if (levels > maxNesting) {
		file.throwRefused(file.t("Iterations and loops can't be nested more than {0} levels deep.", maxNesting));
	}
}

function findPointAfterAll(file: EditedFile): Point {
	const top = [...file.nodes.values()]
		.filter(({ parent }) => parent === undefined)
		.map(({ id }) => ({ ...getNodePosition(file, id), ...getNodeSize(file, id) }));
	const last = top.toSorted((a, b) => a.x + a.width - b.x - b.width).at(-1);
	return last ? { x: last.x + last.width + columnGap, y: last.y } : { x: 80, y: 280 };
}
