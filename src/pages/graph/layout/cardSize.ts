import type { CardRow, DraftNode, DrawnNode, Place } from '../picture/graphTypes.ts';

/** Pixels of a card: as wide as the hosted service draws it, so that its positions serve; its head, each of its rows, and what is below them. */
export const card = { width: 240, head: 48, row: 22, foot: 8 } as const;
/** The start of an iteration or loop is a small square. */
const startWidth = 44;
/** Edges leave and reach a node this far below its top: in the middle of its head. */
const edgeY = 24;
const entryMark = 4;

/** Size of a node without anything inside. */
export function cardSize({ kind, parent, rows }: Pick<DraftNode, 'kind' | 'parent' | 'rows'>): {
	readonly width: number;
	readonly height: number;
} {
	if (isInnerStart({ kind, parent })) {
		return { width: startWidth, height: card.head };
	}
	return { width: card.width, height: card.head + (rows.length > 0 ? rows.length * card.row + card.foot : 0) };
}

/** Whether a node is the start of an iteration or loop: drawn small, never chosen. */
export function isInnerStart({ kind, parent }: { readonly kind: string; readonly parent?: string | undefined }): boolean {
	return parent !== undefined && (kind === 'iteration-start' || kind === 'loop-start');
}

/** Where edges of a way out begin. */
export function exitOf(node: Pick<DrawnNode, 'x' | 'y' | 'width' | 'rows'>, handle: string): Place {
	return { x: node.x + node.width, y: node.y + exitY(node.rows, handle) };
}

/** Where edges to a node end: before the mark of its way in. */
export function entryOf({ x, y }: Place): Place {
	return { x: x - entryMark, y: y + edgeY };
}

function exitY(rows: readonly CardRow[], handle: string): number {
	const at = rows.findIndex(row => row.handle === handle);
	return at < 0 ? edgeY : card.head + (at + 0.5) * card.row;
}

/** The line of an edge, in the words of SVG. */
export function edgePath({ from, to }: { readonly from: Place; readonly to: Place }): string {
	const bend = Math.max(24, Math.min(160, Math.abs(to.x - from.x) / 2));
	return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
}
