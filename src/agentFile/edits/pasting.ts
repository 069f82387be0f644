import { isMap, isSeq, type YAMLMap } from 'yaml';
import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import { type GraphNode, graphPath, isContainer, isInnerStart, readAgentGraph } from '../agentGraph.ts';
import { AgentText } from '../agentText.ts';
import type { Point } from '../layout/geometry.ts';
import type { ValueEdit } from '../writing/valueEdits.ts';
import { checkDepth, checkLevel } from './adding.ts';
import { CanvasSpace } from './canvasSpace.ts';
import { createEdgeInsertion } from './connecting.ts';
import { computeCopyPositions, getCopyRect, setAbsolutePositions, setPoint } from './copiedPlaces.ts';
import { type Level, setContainer, updateEdge, updateReferences } from './copiedReferences.ts';
import { copyFromFile } from './copying.ts';
import { type EditedFile, findContainerCycle } from './editedFile.ts';

/** Copies nodes next to the originals. */
export function duplicateNodes(file: EditedFile, ids: readonly string[]): { edits: ValueEdit[]; made: readonly string[] } {
	return insertCopy(file, copyFromFile(file, ids), 'own', undefined);
}

/** Inserts the result of {@link copyNodes} with unused IDs, and updates references between the copied nodes. */
export function pasteNodes(
	file: EditedFile,
	{ text, at, parent }: { readonly text: string; readonly at?: Point; readonly parent?: string },
): { edits: ValueEdit[]; made: readonly string[] } {
	if (parent !== undefined && !isContainer(file.getNode(parent).type)) {
		file.throwRefused(file.t("'{0}' isn't an iteration or loop, so it can't contain nodes.", file.getNodeName(parent)));
	}
	return insertCopy(file, text, { parent }, at);
}

function insertCopy(file: EditedFile, text: string, level: Level, at: Point | undefined): { edits: ValueEdit[]; made: readonly string[] } {
	const { document, content, error } = new AgentText(text);
	const graph = readAgentGraph({ workflow: { graph: toFields(content) } });
	const [nodes, edges] = [document?.get('nodes'), document?.get('edges')];
	if (error || !isSeq(nodes) || nodes.items.length === 0 || nodes.items.some(node => !isMap(node) || !isMap(node.get('data')))) {
		return file.throwRefused(file.t("The clipboard doesn't contain any nodes of an agent."));
	}
	const rawNodes = getField(content, 'nodes') as readonly unknown[];
	const copied = rawNodes.map(node => getFieldText(node, 'id'));
	const inItself = findContainerCycle(rawNodes);
	if (inItself !== undefined) {
		file.throwRefused(file.t("The copied node '{0}' contains itself.", inItself));
	}
	if (copied.includes('') || new Set(copied).size < copied.length) {
		file.throwRefused(file.t('Each copied node needs a unique ID.'));
	}
	const ids = createFreshIds(file, copied);
	const outer = graph.nodes.filter(({ parent }) => parent === undefined || !ids.has(parent));
	const getTargetLevel = (node: GraphNode) => (level === 'own' ? node.parent : level.parent);
	for (const node of outer) {
		checkCopy(file, node, graph.nodes, getTargetLevel(node));
	}
	const items = nodes.items as YAMLMap[];
	const outerById = new Map(outer.map(node => [node.id, node]));
	const placed = new Map<YAMLMap, Point>();
	const places = computeCopyPositions(items, ids, level, at);
	for (const item of items) {
		const id = getFieldText(item.toJSON(), 'id');
		const node = outerById.get(id);
		const isOuter = node !== undefined || !ids.has(getFieldText(item.toJSON(), 'parentId'));
		const parent = isOuter ? (level === 'own' ? getFieldText(item.toJSON(), 'parentId') || undefined : level.parent) : undefined;
		updateReferences(item.get('data'), [], ids);
		item.set('id', ids.get(id));
		if (!isOuter) {
			item.set('parentId', ids.get(getFieldText(item.toJSON(), 'parentId')));
		} else if (level !== 'own') {
			setContainer(file, item, parent);
		}
		const place = places.get(id);
		if (place && isOuter) {
			setPoint(item, 'position', place);
			placed.set(item, place);
		}
	}
	setAbsolutePositions(file, items);
	const copiedEdges = (isSeq(edges) ? edges.items : []).filter(edge => isMap(edge)) as YAMLMap[];
	const levels = new Map(outer.map(node => [node.id, getTargetLevel(node)]));
	for (const edge of copiedEdges) {
		updateEdge(file, edge, ids, level, levels);
	}
	const space = new CanvasSpace(file);
	for (const [parent, inside] of Map.groupBy(outer, getTargetLevel)) {
		const insideIds = new Set<unknown>(inside.map(({ id }) => ids.get(id)));
		const rects = items.flatMap(item => {
			const place = insideIds.has(item.get('id')) ? placed.get(item) : undefined;
			return place ? [getCopyRect(item, place)] : [];
		});
		space.growContainer(parent, rects);
	}
	return {
		made: [...ids.values()],
		edits: [
			{ kind: 'insert', path: [...graphPath, 'nodes'], at: file.rawNodes.length, values: nodes.items },
			...(copiedEdges.length > 0 ? [createEdgeInsertion(file, copiedEdges)] : []),
			...space.getEdits(),
		],
	};
}

function createFreshIds(file: EditedFile, ids: readonly string[]): ReadonlyMap<string, string> {
	const taken = new Set<string>();
	return new Map(
		ids.map(id => {
			const fresh = file.findFreeId(id.replace(/(?<=.)_\d{1,4}$/, ''), taken);
			taken.add(fresh);
			return [id, fresh];
		}),
	);
}

function checkCopy(file: EditedFile, node: GraphNode, copied: readonly GraphNode[], parent: string | undefined): void {
	if (isInnerStart(node)) {
		file.throwRefused(file.t('Nothing to copy. The start of an iteration or loop can only be copied with its container.'));
	}
	checkLevel(file, node.type, parent);
	const measureDepth = ({ id, type }: GraphNode): number =>
		isContainer(type) ? 1 + Math.max(0, ...copied.filter(each => each.parent === id).map(measureDepth)) : 0;
	checkDepth(file, measureDepth(node), parent);
}
