import { card, innerStartSize, type Point, type Size } from '#agentFile/layout/geometry.ts';
import type { CardRow, DraftNode, DrawnNode } from '../picture/graphTypes.ts';

/** Distance from a node's top to the point where edges connect, in the middle of its header. */
const edgeY = 24;
const entryMark = 4;

/** Returns the size of a card without nodes inside. */
export function getCardSize(node: Pick<DraftNode, 'role' | 'parent' | 'rows'>): Size {
	const { length } = node.rows;
	return isInnerStart(node) ? innerStartSize : { width: card.width, height: card.head + (length > 0 ? length * card.row + card.foot : 0) };
}

/** True for the start node of an iteration or loop, which is drawn small and can't be selected. */
export function isInnerStart({ role, parent }: Pick<DraftNode, 'role' | 'parent'>): boolean {
	return parent !== undefined && role === 'inner-start';
}

/** Returns the point where edges of an output handle start. */
export function getExitPoint(node: Pick<DrawnNode, 'x' | 'y' | 'width' | 'rows'>, handle: string): Point {
	return { x: node.x + node.width, y: node.y + getExitY(node.rows, handle) };
}

/** Returns the point where edges to a node end, left of its input mark. */
export function getEntryPoint({ x, y }: Point): Point {
	return { x: x - entryMark, y: y + edgeY };
}

function getExitY(rows: readonly CardRow[], handle: string): number {
	const at = rows.findIndex(row => row.handle === handle);
	return at < 0 ? edgeY : card.head + (at + 0.5) * card.row;
}

/** Formats the line of an edge as SVG path data. */
export function formatEdgePath({ from, to }: { readonly from: Point; readonly to: Point }): string {
	const bend = Math.max(24, Math.min(160, Math.abs(to.x - from.x) / 2));
	return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
}
