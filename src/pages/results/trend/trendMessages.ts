import type { TrendEntry } from '#suites/gate/trend.ts';

/** The end of a suite's history. */
export interface TrendView {
	/** Name of the history file. */
	readonly file: string;
	/** Entries from old to new. */
	readonly entries: readonly ShownEntry[];
	/** Number of all entries in the file. */
	readonly count: number;
	/** Number of lines that can't be read. */
	readonly damaged: number;
	/** Why the file can't be read. */
	readonly problem?: string;
}

/** An entry of a history. Long texts are shortened. */
export interface ShownEntry extends TrendEntry {
	/** ID of the batch whose results it was made from; absent if they aren't stored in this workspace. */
	readonly batch?: string;
}
