import { card, innerStartSize, type Point, type Size } from '#agentFile/layout/geometry.ts';
import type { CardRow, DraftNode, DrawnNode } from '../picture/graphTypes.ts';

/** Edges leave and reach a node this far below its top: in the middle of its head. */
const edgeY = 24;
const entryMark = 4;

/** Size of a node without anything inside. */
export function cardSize(node: Pick<DraftNode, 'role' | 'parent' | 'rows'>): Size {
	const { length } = node.rows;
	return isInnerStart(node) ? innerStartSize : { width: card.width, height: card.head + (length > 0 ? length * card.row + card.foot : 0) };
}

/** Whether a node starts the rounds of an iteration or loop: drawn small, never chosen. */
export function isInnerStart({ role, parent }: Pick<DraftNode, 'role' | 'parent'>): boolean {
	return parent !== undefined && role === 'inner-start';
}

/** Where edges of a way out begin. */
export function exitOf(node: Pick<DrawnNode, 'x' | 'y' | 'width' | 'rows'>, handle: string): Point {
	return { x: node.x + node.width, y: node.y + exitY(node.rows, handle) };
}

/** Where edges to a node end: before the mark of its way in. */
export function entryOf({ x, y }: Point): Point {
	return { x: x - entryMark, y: y + edgeY };
}

function exitY(rows: readonly CardRow[], handle: string): number {
	const at = rows.findIndex(row => row.handle === handle);
	return at < 0 ? edgeY : card.head + (at + 0.5) * card.row;
}

/** The line of an edge, in the words of SVG. */
export function edgePath({ from, to }: { readonly from: Point; readonly to: Point }): string {
	const bend = Math.max(24, Math.min(160, Math.abs(to.x - from.x) / 2));
	return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
}
