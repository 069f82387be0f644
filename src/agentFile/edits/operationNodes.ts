import { isRecord } from '#base/records/plainValues.ts';
import type { GraphOperation } from './graphOperations.ts';

/** Fields of operations that have the ID of a node. */
const idFields: ReadonlySet<string> = new Set(['node', 'target', 'before', 'parent']);

/** Returns an operation with other IDs for the existing nodes that it refers to. */
export function replaceNodeIds<Operation extends GraphOperation>(operation: Operation, replace: (id: string) => string): Operation {
	const replaceIn = (name: string, value: unknown): unknown => {
		if (typeof value === 'string') {
			return idFields.has(name) ? replace(value) : value;
		}
		switch (name) {
			case 'from':
			case 'behind':
				return isRecord(value) ? { ...value, node: replace(String(value['node'])) } : value;
			case 'nodes':
				return (value as readonly (string | { readonly id: string })[]).map(each =>
					typeof each === 'string' ? replace(each) : { ...each, id: replace(each.id) },
				);
			case 'edits':
				return (value as readonly GraphOperation[]).map(each => replaceNodeIds(each, replace));
			default:
				return value;
		}
	};
	return Object.fromEntries(Object.entries(operation).map(([name, value]) => [name, replaceIn(name, value)])) as Operation;
}
