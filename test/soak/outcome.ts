import type { Table } from './table.ts';

/** What one half of the soak found. */
export interface Outcome {
	/** What was soaked, and how often, as in "window: 240 rounds". */
	readonly what: string;
	readonly table: Table;
	/** What did not answer as it must; the soak fails on one. */
	readonly failures: readonly string[];
}
