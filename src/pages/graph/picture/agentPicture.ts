import { type AgentGraph, findBranchItem, findReachableNodes, type GraphNode, graphPath, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import type { StartPart } from '#agentFile/reading/startPart.ts';
import { getField, getFieldText, getItems } from '#base/records/plainValues.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import { longestTitle, readCardSize, readPosition } from '../cards/nodeDrafts.ts';
import { readNoteText } from '../cards/noteText.ts';
import { type DraftNote, layOutGraph } from '../layout/graphLayout.ts';
import type { AgentPicture, CardMark, DraftEdge } from './graphTypes.ts';
import { KnownPicture } from './knownPicture.ts';

/** Maximum length of branch names on edges, in UTF-16 units. */
const longestLabel = 18;
/** Minimum, maximum and default size of a note, in pixels. */
const noteSize = { least: 60, most: 2000, width: 240, height: 88 };

/**
 * Returns the graph of an agent file (workflow DSL, "File") with its layout; `undefined` if the file has none, as for an agent without a
 * workflow. Tolerates invalid files: skips nodes without an ID, and returns edges separately if their target is missing or in another
 * container.
 * @throws an error with the line if the text isn't YAML
 */
export function parseAgentPicture(text: string): AgentPicture | undefined {
	const read = new AgentText(text);
	if (read.error) {
		throw new Error(`line ${read.getLineAt(read.error.offset)}: ${read.error.message}`);
	}
	return createPicture(read.content);
}

/** Returns an empty picture if the file has a graph without nodes; `undefined` if it has no graph. */
export function createEmptyPicture(content: unknown): AgentPicture | undefined {
	const graph = getField(getField(content, 'workflow'), 'graph');
	return typeof graph === 'object' && graph !== null && !Array.isArray(graph)
		? { x: 0, y: 0, width: 1, height: 1, nodes: [], edges: [], loose: [], notes: [], placed: [] }
		: undefined;
}

/**
 * Like {@link parseAgentPicture}, but from plain values. `known`: the previous picture of the same file; unchanged parts stay the same
 * objects.
 */
export function createPicture(content: unknown, known = new KnownPicture()): AgentPicture | undefined {
	const graph = readAgentGraph(content);
	return drawGraph(graph, known, findReachableNodes(graph));
}

/** Returns the graph around the start node. All its nodes count as reachable, because the other nodes aren't known yet. */
export function createStartPicture({ content, area }: StartPart, known: KnownPicture): AgentPicture | undefined {
	const graph = readAgentGraph(content);
	const picture = drawGraph(graph, known, new Set(graph.nodes.map(({ id }) => id)));
	return picture && { ...picture, ...area };
}

function drawGraph(graph: AgentGraph, known: KnownPicture, reached: ReadonlySet<string>): AgentPicture | undefined {
	const written = getItems(getField(graph.workflow, 'graph'), 'nodes');
	const shown = new Map(graph.nodes.filter(({ id, data }) => id !== '' && data).map(node => [node.id, node]));
	const drawn = graph.edges.flatMap(({ source, target, handle }): DraftEdge[] => {
		const [from, to] = [shown.get(source), shown.get(target)];
		if (!from || !to || from.parent !== to.parent) {
			return [];
		}
		const label = getBranchLabel(from, handle);
		return [{ source, target, handle, ...(label === undefined ? {} : { label }) }];
	});
	const loose = graph.edges.filter(({ source, target }) => {
		const [from, to] = [shown.get(source), shown.get(target)];
		return from !== undefined && target !== '' && (to === undefined || from.parent !== to.parent);
	});
	const notes = written.flatMap(readNote);
	if (shown.size === 0 && notes.length === 0) {
		return undefined;
	}
	const marks = createCardMarker(reached);
	const titles = new Map(graph.nodes.map(({ id, title }) => [id, title]));
	return known.reuseParts(
		layOutGraph(
			[...shown.values()].map(node => known.drafts.getDraft(node, written[node.at], marks(node), titles)),
			drawn,
			{
				loose: loose.map(({ source, target, handle }) => ({ source, target: cutToLimit(target, longestTitle), handle })),
				notes,
				known: known.places,
			},
		),
	);
}

/** Returns the line, from 1, on which a node starts; `undefined` if there is no such node. */
export function findNodeLine(text: string, id: string): number | undefined {
	const read = new AgentText(text);
	const node = readAgentGraph(read.content).nodes.find(each => each.id === id);
	return node && read.getLineOfPath([...graphPath, 'nodes', node.at]);
}

function createCardMarker(reached: ReadonlySet<string>): (node: GraphNode) => readonly CardMark[] {
	return ({ id, type }) => [...(findNodeKind(type) ? [] : (['unknown'] as const)), ...(reached.has(id) ? [] : (['idle'] as const))];
}

/** Reads a note. Notes are in the file's list of nodes, but aren't part of a run. */
function readNote(node: unknown): DraftNote[] {
	if (getFieldText(node, 'type') !== 'custom-note' || getFieldText(node, 'id') === '') {
		return [];
	}
	const data = getField(node, 'data');
	const { width, height } = readCardSize(node, 'width', 'height') ?? readCardSize(data, 'width', 'height') ?? noteSize;
	const clampNoteSize = (size: number) => Math.min(noteSize.most, Math.max(noteSize.least, size));
	const parent = getFieldText(node, 'parentId');
	return [
		{
			id: getFieldText(node, 'id'),
			...(parent === '' ? {} : { parent }),
			position: readPosition(getField(node, 'position')) ?? { x: 0, y: 0 },
			width: clampNoteSize(width),
			height: clampNoteSize(height),
			text: readNoteText(getFieldText(data, 'text')),
			theme: getFieldText(data, 'theme') || 'blue',
		},
	];
}

/** Returns the name of a branch from the file, or its handle. */
function getBranchLabel(node: GraphNode, handle: string): string | undefined {
	if (handle === 'fail-branch') {
		return handle;
	}
	const row = findNodeKind(node.type)?.branches?.createRow;
	const name = row ? row(node.data ?? {}, handle).head : findBranchItem(node, handle)?.title;
	return name !== undefined && name.length > longestLabel ? `${cutToLimit(name, longestLabel - 1).trimEnd()}…` : name;
}
