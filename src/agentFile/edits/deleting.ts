import { getFieldText } from '#base/records/plainValues.ts';
import { findInnerStarts, graphPath, isContainer, isInnerStart, isStart } from '../agentGraph.ts';
import type { ValueEdit } from '../writing/valueEdits.ts';
import type { EditedFile } from './editedFile.ts';

/** Deletes nodes with their inner nodes and all their edges. */
export function deleteNodes(file: EditedFile, ids: readonly string[]): ValueEdit[] {
	const gone = collectNodesWithInner(file, ids);
	for (const id of gone) {
		const node = file.nodes.get(id);
		if (node && isInnerStart(node) && !gone.has(node.parent ?? '') && file.nodes.has(node.parent ?? '')) {
			file.throwRefused(file.t("The start of '{0}' can't be deleted on its own.", file.getNodeName(node.parent ?? '')));
		}
	}
	const left = [...file.nodes.values()].filter(({ id }) => !gone.has(id));
	if (!left.some(isStart) && [...file.nodes.values()].some(isStart)) {
		file.throwRefused(file.t("The last start node or trigger can't be deleted."));
	}
	const [innerLeft, innerBefore] = [left, file.graph.nodes].map(nodes => Map.groupBy(nodes, ({ parent }) => parent));
	for (const container of left.filter(({ type }) => isContainer(type))) {
		const { id } = container;
		if (
			findInnerStarts(innerLeft?.get(id) ?? [], container).length === 0 &&
			findInnerStarts(innerBefore?.get(id) ?? [], container).length > 0
		) {
			file.throwRefused(file.t("The first node of '{0}' can't be deleted on its own.", container.title));
		}
	}
	return [
		...[...gone].map((id): ValueEdit => ({ kind: 'remove', path: [...graphPath, 'nodes'], at: file.getNodeIndex(id) })),
		...file.graph.edges
			.filter(({ source, target }) => gone.has(source) || gone.has(target))
			.map(({ at }): ValueEdit => ({ kind: 'remove', path: [...graphPath, 'edges'], at })),
	];
}

/**
 * Returns the IDs of the given nodes and of all nodes and notes in them.
 * @throws {Refused} for an unknown ID
 */
export function collectNodesWithInner(file: EditedFile, ids: readonly string[]): ReadonlySet<string> {
	const all = new Set(ids.map(id => getFieldText(file.rawNodes[file.getNodeIndex(id)], 'id')));
	const inner = Map.groupBy(file.rawNodes, node => getFieldText(node, 'parentId'));
	for (const id of all) {
		for (const node of id === '' ? [] : (inner.get(id) ?? [])) {
			all.add(getFieldText(node, 'id'));
		}
	}
	return all;
}
