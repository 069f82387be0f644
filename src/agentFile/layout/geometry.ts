/** A point in pixels, relative to the canvas or a container. */
export interface Point {
	readonly x: number;
	readonly y: number;
}

export interface Size {
	readonly width: number;
	readonly height: number;
}

/** A rectangle, positioned by its top left corner. */
export interface Rect extends Point, Size {}

/** Size of a card in the graph: head, rows, and foot. Slightly narrower than Dify's, so that Dify's positions leave a gap. */
export const card = { width: 240, head: 48, row: 22, foot: 8 } as const;

/** The smallest card on Dify's canvas, for nodes without a size in the file. */
export const difyCardSize: Size = { width: 244, height: 90 };
/** Size of a card with rows on Dify's canvas. `head` includes the foot; only the first rows of a list count. */
export const difyCard = { head: 56, row: 22, mostRows: 8 } as const;

/** Size of the inner start node of a container, which is a small square. */
export const innerStartSize: Size = { width: 44, height: card.head };

/** Size of an empty container, and the positions of its inner start and of the node after that. */
export const containerSize: Size = { width: 388, height: 178 };
export const innerStartPoint: Point = { x: 24, y: 68 };
export const firstPoint: Point = { x: 128, y: 68 };
/** Space between columns in Dify's layout. */
export const columnGap = 60;
