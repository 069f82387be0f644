import { agentGraph } from '../../agentFile/agentGraph.ts';
import type { GraphOperation } from '../../agentFile/edits/graphOperations.ts';
import { isSame, valueIn } from '../../agentFile/writing/valueEdits.ts';

/**
 * Whether the places in lists that an operation names mean the same items in what a file has now as in what it had when the operation was asked for. Places are numbers: where another hand
 * has put an item in or taken one out meanwhile, they mean others. Contents of files as plain values.
 */
export function namesSameItems(operation: GraphOperation, before: unknown, now: unknown): boolean {
	if (operation.do !== 'set' && operation.do !== 'insertItem' && operation.do !== 'removeItem' && operation.do !== 'moveItem') {
		return true;
	}
	const path = operation.do === 'removeItem' || operation.do === 'moveItem' ? [...operation.path, operation.at] : operation.path;
	const [old, present] = [before, now].map(content => agentGraph(content).nodes.find(({ id }) => id === operation.node)?.data);
	return path.every((at, depth) => {
		const [oldList, list] = [old, present].map(data => valueIn(data, path.slice(0, depth)));
		if (typeof at !== 'number' || !Array.isArray(oldList) || !Array.isArray(list)) {
			return true;
		}
		// an item that was changed in its place is the same one; one that is found where it was not before was moved
		const item: unknown = oldList[at];
		return (
			oldList.length === list.length &&
			(isSame(list[at], item) || !list.some((each, place) => isSame(each, item) && !isSame(oldList[place], item)))
		);
	});
}
