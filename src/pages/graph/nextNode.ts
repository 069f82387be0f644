import type { DrawnNode } from './picture/graphTypes.ts';

/** Unit vectors of the arrow keys. */
const directions: Readonly<Record<string, readonly [number, number]>> = {
	ArrowRight: [1, 0],
	ArrowLeft: [-1, 0],
	ArrowDown: [0, 1],
	ArrowUp: [0, -1],
};
/** Something aside counts as this many times as far. */
const aside = 2;

/**
 * The node to which a key leads: for an arrow the nearest in its direction, by left top corners, so that a way into a container leads through
 * its head; the first and the last from left to right for Home and End, and for an arrow where none is selected the first.
 */
export function nextNode(nodes: readonly DrawnNode[], at: DrawnNode | undefined, key: string): DrawnNode | undefined {
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
		// up and down stay near the column; left and right always lead on, as the edges do
		if (ahead > 0 && (right !== 0 || beside <= ahead) && (best === undefined || ahead + aside * beside < best.far)) {
			best = { node, far: ahead + aside * beside };
		}
	}
	return best?.node;
}
