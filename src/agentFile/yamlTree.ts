import type { Node } from 'jsonc-parser';
import type { Path } from './agentText.ts';

/** Finds the value at a path. Of duplicate fields, the first one counts. */
export function findNodeAt(root: Node | undefined, path: Path): Node | undefined {
	return path.reduce<Node | undefined>((node, key) => {
		const property = typeof key === 'number' ? undefined : node?.children?.find(({ children }) => children?.[0]?.value === key);
		return typeof key === 'number' ? node?.children?.[key] : property?.children?.[1];
	}, root);
}

/** Returns the fields of a map. The value of a field may be missing. */
export function listProperties(
	map: Node | undefined,
): readonly { readonly name: string; readonly nameNode: Node; readonly value: Node | undefined }[] {
	const properties = map?.type === 'object' ? (map.children ?? []) : [];
	return properties.flatMap(({ children }) =>
		children?.[0] ? [{ name: String(children[0].value), nameNode: children[0], value: children[1] }] : [],
	);
}
