import type { FieldOperation, GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { changeValueAt, getValueAt } from '#agentFile/writing/valueEdits.ts';
import { isDeepEqual } from '#base/records/plainValues.ts';

export function isFieldOperation(operation: GraphOperation): operation is FieldOperation {
	return operation.do === 'set' || operation.do === 'insertItem' || operation.do === 'removeItem' || operation.do === 'moveItem';
}

/** Returns a node's `data` (or the file, for fields of the agent) after an operation, as plain values. */
export function applyToData(data: unknown, operation: FieldOperation): unknown {
	const hasItems = operation.path.every((key, depth) => {
		const holder = typeof key === 'number' ? getValueAt(data, operation.path.slice(0, depth)) : undefined;
		return !Array.isArray(holder) || Number(key) < holder.length;
	});
	if (!hasItems) {
		return data;
	}
	if (operation.do === 'set') {
		return changeValueAt(data, operation.path, () => operation.value);
	}
	return changeValueAt(data, operation.path, list => applyToItems(Array.isArray(list) ? list : [], operation));
}

/** Returns the items of a list after an operation on it. */
export function applyToItems<Item>(
	items: readonly Item[],
	operation:
		| Exclude<FieldOperation, { do: 'set' | 'insertItem' }>
		| { readonly do: 'insertItem'; readonly at: number; readonly value: Item },
): readonly Item[] {
	const { at } = operation;
	switch (operation.do) {
		case 'insertItem':
			return items.toSpliced(at, 0, operation.value);
		case 'removeItem':
			return items.toSpliced(at, 1);
		case 'moveItem':
			return at < items.length ? items.toSpliced(at, 1).toSpliced(operation.to, 0, items[at] as Item) : items;
	}
}

/**
 * True if the list indexes in an operation still refer to the same items as when it was requested, so that no items were inserted or
 * removed elsewhere in the meantime. `before` and `now` are values as {@link applyToData} takes them.
 */
export function hasSameTarget(operation: FieldOperation, before: unknown, now: unknown): boolean {
	const path = operation.do === 'removeItem' || operation.do === 'moveItem' ? [...operation.path, operation.at] : operation.path;
	return path.every((at, depth) => {
		const [oldList, list] = [before, now].map(data => getValueAt(data, path.slice(0, depth)));
		if (typeof at !== 'number' || !Array.isArray(oldList) || !Array.isArray(list)) {
			return true;
		}
		// an item that was changed in place is the same item; one that is now at another index was moved
		const item: unknown = oldList[at];
		return (
			oldList.length === list.length &&
			(isDeepEqual(list[at], item) || !list.some((each, place) => isDeepEqual(each, item) && !isDeepEqual(oldList[place], item)))
		);
	});
}
