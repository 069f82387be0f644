/** A point of the canvas in its pixels: from the corner of the whole, or of the container that something lies in. */
export interface Point {
	readonly x: number;
	readonly y: number;
}

export interface Size {
	readonly width: number;
	readonly height: number;
}

/** A rectangle by its left top corner. */
export interface Rect extends Point, Size {}

/** A card as the graph draws it: its head, each of its rows, and what is below them. A bit narrower than Dify's, so that Dify's positions leave a gap. */
export const card = { width: 240, head: 48, row: 22, foot: 8 } as const;

/** The smallest card on Dify's canvas, for nodes whose file doesn't say a size. */
export const difyCardSize: Size = { width: 244, height: 90 };
/** A card on Dify's canvas with its rows. `head` includes what is below the rows; of a list, only so many rows count. */
export const difyCard = { head: 56, row: 22, mostRows: 8 } as const;

/** What starts the rounds of a container is a small square. */
export const innerStartSize: Size = { width: 44, height: card.head };

/** An empty container, and where what starts its rounds lies in it, and the first node after that. */
export const containerSize: Size = { width: 388, height: 178 };
export const innerStartPoint: Point = { x: 24, y: 68 };
export const firstPoint: Point = { x: 128, y: 68 };
/** Between nodes of two columns in Dify's own layout. */
export const columnGap = 60;
