import { getNodeValue, type Node } from 'jsonc-parser';
import { findProperty, listProperties } from '#base/text/textFaults.ts';
import type { Mocks } from '#contract/mocks.ts';

/** Creates an object node at `at` with properties that keep their positions. */
export function createObjectNode(at: Node, properties: readonly (readonly [name: string, value: Node])[]): Node {
	const object: Node = { type: 'object', offset: at.offset, length: at.length, children: [] };
	for (const [name, value] of properties) {
		const property: Node = { type: 'property', offset: value.offset, length: value.length, parent: object, children: [] };
		property.children!.push({ type: 'string', offset: value.offset, length: value.length, value: name, parent: property }, value);
		object.children!.push(property);
	}
	return object;
}

/** Merges the properties of two objects; those of `over` win. */
function mergeNodes(at: Node, under: Node | undefined, over: Node | undefined): Node {
	const merged = new Map<string, Node>();
	for (const object of [under, over]) {
		for (const { name, value } of listProperties(object)) {
			if (value) {
				merged.set(name, value);
			}
		}
	}
	return createObjectNode(at, [...merged]);
}

/** Creates the request of a case: its fields, with defaults for missing ones. */
export function createRequestNode(at: Node, defaults: Node | undefined, own: Node | undefined): Node {
	const inputs = mergeNodes(findProperty(own, 'inputs') ?? at, findProperty(defaults, 'inputs'), findProperty(own, 'inputs'));
	const rest = ['query', 'files', 'trigger'].flatMap(name => {
		const value = findProperty(own, name) ?? findProperty(defaults, name);
		return value ? [[name, value] as const] : [];
	});
	return createObjectNode(at, [['inputs', inputs], ...rest]);
}

/** Reads mocks; none without a node. */
export function readMockNodes(node: Node | undefined): Mocks {
	return node ? (getNodeValue(node) as Mocks) : {};
}
