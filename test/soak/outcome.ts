import type { Table } from './table.ts';

/** Result of one half of the soak. */
export interface Outcome {
	/** Subject and number of repetitions, for example "window: 240 rounds". */
	readonly what: string;
	readonly table: Table;
	/** Unexpected responses; a single one fails the soak. */
	readonly failures: readonly string[];
}
