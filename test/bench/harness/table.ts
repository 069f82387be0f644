/** One line of a table of the project's budgets, measured. `--json` prints exactly these fields. */
export interface Entry {
	readonly table: string;
	readonly measure: string;
	readonly value: number;
	readonly unit: string;
	readonly limit: number;
	readonly ok: boolean;
}

/** What a measure found; `notes` are figures beside it, for people. */
export interface Finding {
	readonly value: number;
	readonly ok: boolean;
	readonly notes?: readonly string[];
}

/** One line of a budget table. `limit` is in `unit`; whether it is a most or a least stands in `measure`. */
export interface Measure {
	/** Short name, to run it alone: `npm run bench -- client/load`. */
	readonly name: string;
	/** The line in words. */
	readonly measure: string;
	readonly unit: string;
	readonly limit: number;
	run(): Promise<Finding>;
}

/** A table of budgets. A file `test/bench/NAME.ts` exports one as `table`; `close` stops what its measures share. */
export interface BenchTable {
	readonly name: string;
	readonly measures: readonly Measure[];
	close?(): Promise<void>;
}

/** The finding of a line that holds several requirements: its value is the least of achieved ÷ required, so its limit is 1. */
export function leastMargin(requirements: Readonly<Record<string, { readonly achieved: number; readonly required: number }>>): Finding {
	const margins = Object.entries(requirements).map(([name, { achieved, required }]) => ({
		name,
		achieved,
		required,
		margin: achieved / required,
	}));
	const value = Math.min(...margins.map(({ margin }) => margin));
	return {
		value,
		ok: value >= 1,
		notes: margins.map(({ name, achieved, required }) => `${name}: ${achieved.toFixed(2)} × (required ${required} ×)`),
	};
}
