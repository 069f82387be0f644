import type { DrawnNode } from './picture/graphTypes.ts';

/** Unit vectors of the arrow keys. */
const directions: Readonly<Record<string, readonly [number, number]>> = {
	ArrowRight: [1, 0],
	ArrowLeft: [-1, 0],
	ArrowDown: [0, 1],
	ArrowUp: [0, -1],
};
/** Weight of the distance perpendicular to the direction. */
const aside = 2;

/**
 * Finds the node to select with a key. Arrow keys go to the nearest node in their direction, measured between top left corners, so that a
 * container is entered through its header. Home and End go to the leftmost and rightmost node. If nothing is selected, arrow keys go to the
 * leftmost node.
 */
export function findNextNode(nodes: readonly DrawnNode[], at: DrawnNode | undefined, key: string): DrawnNode | undefined {
	const direction = directions[key];
	if (key === 'Home' || key === 'End' || (direction && !at)) {
		const inOrder = nodes.toSorted((a, b) => a.x - b.x || a.y - b.y);
		return key === 'End' ? inOrder.at(-1) : inOrder[0];
	}
	if (!direction || !at) {
		return undefined;
	}
	const [right, down] = direction;
	let best: { node: DrawnNode; far: number } | undefined;
	for (const node of nodes) {
		const [dx, dy] = [node.x - at.x, node.y - at.y];
		const ahead = dx * right + dy * down;
		const beside = Math.abs(dx * down + dy * right);
		// up and down stay near the column; left and right always find a node, because edges lead in these directions
		if (ahead > 0 && (right !== 0 || beside <= ahead) && (best === undefined || ahead + aside * beside < best.far)) {
			best = { node, far: ahead + aside * beside };
		}
	}
	return best?.node;
}
