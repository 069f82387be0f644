import type { ColumnWidths } from './columnLayout.ts';

/** Events of a table that its page handles. */
export interface TableEvents<Row> {
	/** Called when rows are needed. */
	onWanted(slice: { readonly from: number; readonly to: number }): void;
	/** Called when these rows have stayed visible. */
	onSettled?(ids: readonly string[]): void;
	/** Called when the end of the list is near. */
	onNearEnd?(): void;
	/** Called when the active row or the selection changes. */
	onSelect(): void;
	onOpen(row: Row): void;
	/** Called when the user has resized a column. */
	onResize(widths: ColumnWidths): void;
}

/** Size of the list. */
export interface TableState {
	/** Changes when rows move. */
	readonly generation: number;
	readonly count: number;
	/** Rows added at the top since the last state. */
	readonly added: number;
}
