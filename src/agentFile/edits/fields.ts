import { toFields } from '#base/records/plainValues.ts';
import { type GraphNode, getOutputHandles, graphPath } from '../agentGraph.ts';
import type { Path } from '../agentText.ts';
import { applyEdits, getValueAt, toPlainValue, type ValueEdit } from '../writing/valueEdits.ts';
import { reconnectEdge } from './connecting.ts';
import type { EditedFile } from './editedFile.ts';
import { agentFields } from './graphOperations.ts';

/** Sets a field in a node's `data`; `undefined` removes it. */
export function setField(file: EditedFile, id: string | undefined, path: Path, value: unknown): ValueEdit[] {
	if (path.length === 0) {
		file.throwRefused(file.t("The data of a node can't be removed."));
	}
	const whole = getFieldPath(file, id, path);
	for (const [depth, key] of path.entries()) {
		const around = getValueAt(file.read.content, whole.slice(0, whole.length - path.length + depth));
		if (Array.isArray(around) && !(typeof key === 'number' && Number.isInteger(key) && key >= 0 && key < around.length)) {
			file.throwRefused(file.t('The list has no item {0}.', key));
		}
	}
	return addEdgeEdits(file, id, {
		kind: 'set',
		path: whole,
		value: value === undefined ? undefined : toPlainValue(value),
	});
}

export function insertItem(file: EditedFile, id: string | undefined, path: Path, at: number, value: unknown): ValueEdit[] {
	const list = getListItems(file, id, path, true);
	checkIndex(file, at, list.length + 1);
	return addEdgeEdits(file, id, { kind: 'insert', path: getFieldPath(file, id, path), at, values: [toPlainValue(value)] });
}

export function removeItem(file: EditedFile, id: string | undefined, path: Path, at: number): ValueEdit[] {
	checkIndex(file, at, getListItems(file, id, path).length);
	return addEdgeEdits(file, id, { kind: 'remove', path: getFieldPath(file, id, path), at });
}

export function moveItem(file: EditedFile, id: string | undefined, path: Path, at: number, to: number): ValueEdit[] {
	const { length } = getListItems(file, id, path);
	checkIndex(file, at, length);
	checkIndex(file, to, length);
	return at === to ? [] : [{ kind: 'move', path: getFieldPath(file, id, path), at, to }];
}

/** @param mayMiss true to treat a missing list as empty */
function getListItems(file: EditedFile, id: string | undefined, path: Path, mayMiss = false): readonly unknown[] {
	const list = getValueAt(file.read.content, getFieldPath(file, id, path));
	if (mayMiss && (list === undefined || list === null)) {
		return [];
	}
	return Array.isArray(list) ? list : file.throwRefused(file.t("'{0}' of '{1}' isn't a list.", path.join('.'), file.getNodeName(id ?? '')));
}

/** @throws {Refused} if the agent has no such field that forms can change */
function getFieldPath(file: EditedFile, id: string | undefined, path: Path): Path {
	if (id !== undefined) {
		file.getNode(id);
		return file.getNodePath(id, 'data', ...path);
	}
	const isField = agentFields.some(field => field.every((key, at) => path[at] === key));
	return isField ? path : file.throwRefused(file.t("'{0}' can't be changed here.", path.join('.')));
}

function checkIndex(file: EditedFile, at: number, length: number): void {
	if (!Number.isInteger(at) || at < 0 || at >= length) {
		file.throwRefused(file.t('The list has no item {0}.', at));
	}
}

/** Adds edits for the edges of output handles that an edit renames or removes. */
function addEdgeEdits(file: EditedFile, id: string | undefined, edit: ValueEdit): ValueEdit[] {
	if (id === undefined) {
		return [edit];
	}
	const node = file.getNode(id);
	const after = applyEdits(file.read.content, [edit]);
	const data = toFields(getValueAt(after, file.getNodePath(id, 'data')));
	const [old, now] = [getOutputHandles(node), getOutputHandles({ ...node, type: String(data['type'] ?? ''), data } satisfies GraphNode)];
	const [gone, come] = [old.filter(handle => !now.includes(handle)), now.filter(handle => !old.includes(handle))];
	const renamed = gone.length === 1 && come.length === 1 && old.length === now.length ? come[0] : undefined;
	return [
		edit,
		...file.graph.edges
			.filter(({ source, handle }) => source === id && gone.includes(handle))
			.flatMap((edge): ValueEdit[] =>
				renamed === undefined
					? [{ kind: 'remove', path: [...graphPath, 'edges'], at: edge.at }]
					: reconnectEdge(file, edge, { source: { id, type: node.type, handle: renamed } }),
			),
	];
}
