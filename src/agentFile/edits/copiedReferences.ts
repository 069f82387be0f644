import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { getFieldText, toFields } from '#base/records/plainValues.ts';
import type { Path } from '../agentText.ts';
import { isSelector, nodeFields, referencePattern } from '../references.ts';
import { formatEdgeId } from './connecting.ts';
import type { EditedFile } from './editedFile.ts';
import { getContainerFields } from './newNode.ts';

/** Where copies are placed: in a container or at the top level, or `own` for the level of each original. */
export type Level = { readonly parent: string | undefined } | 'own';

/** Changes references to copied nodes so that they refer to the copies. Other references stay the same. */
export function updateReferences(value: unknown, path: Path, ids: ReadonlyMap<string, string>, around?: YAMLMap): void {
	if (isMap(value)) {
		for (const pair of value.items) {
			const key = isScalar(pair.key) ? String(pair.key.value) : '';
			const inner = pair.value;
			if (isScalar(inner) && path.length === 0 && nodeFields.includes(key)) {
				inner.value = ids.get(String(inner.value)) ?? inner.value;
			} else {
				updateReferences(inner, [...path, key], ids, value);
			}
		}
	} else if (isSeq(value)) {
		const [first] = value.items;
		if (isScalar(first) && value.items.length > 1 && isSelector(path, name => around?.get(name))) {
			first.value = ids.get(String(first.value)) ?? first.value;
		} else {
			value.items.forEach((item, at) => {
				updateReferences(item, [...path, at], ids);
			});
		}
	} else if (isScalar(value) && typeof value.value === 'string') {
		value.value = value.value.replaceAll(referencePattern, (whole, inner: string) => {
			const [first = '', ...rest] = inner.split('.');
			return ids.has(first) ? `{{#${[ids.get(first), ...rest].join('.')}#}}` : whole;
		});
	}
}

/** Sets the fields that name the container of a node. */
export function setContainer(file: EditedFile, item: YAMLMap, parent: string | undefined): void {
	const data = item.get('data') as YAMLMap;
	for (const field of ['iteration_id', 'loop_id', 'isInIteration', 'isInLoop']) {
		data.delete(field);
	}
	item.delete('parentId');
	item.delete('extent');
	if (parent !== undefined) {
		item.set('parentId', parent);
		for (const [field, value] of Object.entries(getContainerFields(file.getNode(parent).type, parent))) {
			data.set(field, value);
		}
	}
}

/** Connects a copied edge to the copies. */
export function updateEdge(
	file: EditedFile,
	edge: YAMLMap,
	ids: ReadonlyMap<string, string>,
	level: Level,
	outer: ReadonlyMap<string, string | undefined>,
): void {
	const old = toFields(edge.toJSON());
	const [source, target] = [getFieldText(old, 'source'), getFieldText(old, 'target')];
	const [from, to] = [ids.get(source) ?? source, ids.get(target) ?? target];
	edge.set('id', formatEdgeId(from, getFieldText(old, 'sourceHandle') || 'source', to));
	edge.set('source', from);
	edge.set('target', to);
	const data = edge.get('data');
	if (!isMap(data)) {
		return;
	}
	for (const field of nodeFields) {
		const id = data.get(field);
		if (id !== undefined) {
			data.set(field, ids.get(String(id)) ?? id);
		}
	}
	if (level !== 'own' && outer.has(source)) {
		for (const field of ['iteration_id', 'loop_id', 'isInIteration', 'isInLoop']) {
			data.delete(field);
		}
		const inside = getContainerFields(level.parent === undefined ? undefined : file.getNode(level.parent).type, level.parent);
		for (const [field, value] of Object.entries(inside)) {
			data.set(field, value);
		}
	}
}
