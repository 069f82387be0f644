/** Gap between columns and padding of rows in pixels, as in table.css. */
const gap = 16;
const padding = 24;
/** Smallest width that a user can choose. */
const smallest = 24;

/** How much space a column takes. */
export interface ColumnSize {
	/** Identifies the column in {@link ColumnWidths}. */
	readonly id: string;
	/** Initial width in pixels; the minimum width of a column that grows. */
	readonly width: number;
	/** Share of the remaining width. */
	readonly grow?: number;
	/** Columns with a higher number are hidden first if the table is too narrow. */
	readonly rank: number;
	/** True to hide the column until a row has a value in it. */
	readonly isOptional?: boolean;
}

/** Widths in pixels chosen by the user, by column ID. */
export type ColumnWidths = Readonly<Record<string, number>>;

export interface ColumnLayout<Column> {
	readonly shown: readonly Column[];
	/** Smallest width of a row in pixels. */
	readonly least: number;
	/** Value of `grid-template-columns`. */
	readonly tracks: string;
}

/**
 * Chooses the columns that fit into a width. The last one takes the space that is left over if the user has resized all columns that grow.
 * @param available width of the table; infinite if it scrolls sideways instead of hiding columns
 * @param filled IDs of columns with values
 */
export function fitColumns<Column extends ColumnSize>(
	columns: readonly Column[],
	available: number,
	widths: ColumnWidths,
	filled: ReadonlySet<string>,
): ColumnLayout<Column> {
	const getLeast = ({ id, width }: ColumnSize) => Math.min(width, widths[id] ?? width);
	const getTotal = (some: readonly Column[]) => some.reduce((sum, column) => sum + getLeast(column) + gap, padding - gap);
	let shown = columns.filter(({ id, isOptional }) => !isOptional || filled.has(id));
	while (shown.length > 1 && getTotal(shown) > available) {
		const last = Math.max(...shown.map(({ rank }) => rank));
		shown = shown.toSpliced(
			shown.findLastIndex(({ rank }) => rank === last),
			1,
		);
	}
	const isFlexible = ({ id, grow }: ColumnSize) => grow !== undefined && widths[id] === undefined;
	const tracks = shown.map((column, place) => {
		const { id, width, grow = 1 } = column;
		const isRest = place === shown.length - 1 && !shown.some(isFlexible);
		const most = isFlexible(column) || isRest ? `${grow}fr` : `${widths[id] ?? width}px`;
		return `minmax(${getLeast(column)}px, ${most})`;
	});
	return { shown, least: getTotal(shown), tracks: tracks.join(' ') };
}

/** Returns the widths after a column was resized; `undefined` resets it. */
export function resizeColumn(widths: ColumnWidths, id: string, width: number | undefined): ColumnWidths {
	const { [id]: _, ...others } = widths;
	return width === undefined ? others : { ...others, [id]: Math.max(smallest, Math.round(width)) };
}
