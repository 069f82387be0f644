/** One line of a table of the project's budgets, measured. `--json` prints exactly these fields. */
export interface Entry {
	readonly table: string;
	readonly measure: string;
	/** In `unit`: the median of the rounds; where a line has several requirements, how much of the one nearest to its limit is used up. */
	readonly value: number;
	readonly unit: string;
	readonly limit: number;
	readonly ok: boolean;
}

/** A bound of a requirement; `unit` where it is not that of its line. */
export type Limit = ({ readonly most: number } | { readonly least: number }) & { readonly unit?: string };

/** What a round found. */
export interface Round {
	/** One figure a requirement, by its name: a ratio to what ran in the same round, unless the budget is of another kind. */
	readonly values: Readonly<Record<string, number>>;
	/** What lies behind them, by name: told to people, as medians. */
	readonly costs?: Readonly<Record<string, number>>;
}

export interface RoundOptions {
	/** Rounds that are not counted: code compiles, connections open. */
	readonly warmUp: number;
	/** Rounds that are counted; three times as many where they lie on both sides of a limit. */
	readonly rounds: number;
}

/** What all rounds of a measure found, and figures beside it, for people. */
export interface Series {
	readonly rounds: readonly Round[];
	readonly notes?: readonly string[];
}

/** Runs rounds until they can be judged. */
export type InRounds = (options: RoundOptions, round: () => Promise<Round>) => Promise<Series>;

/** One line of a budget table. */
export interface Measure {
	/** Short name, to run it alone: `npm run bench -- client/load`. */
	readonly name: string;
	/** The line in words. */
	readonly measure: string;
	/** Of its values; of its costs, where they have another. */
	readonly unit: string;
	readonly costUnit?: string;
	/** What must hold, by name. */
	readonly limits: Readonly<Record<string, Limit>>;
	run(inRounds: InRounds): Promise<Series>;
}

/** A table of budgets. A file `test/bench/NAME.ts` exports one as `table`; `close` stops what its measures share. */
export interface BenchTable {
	readonly name: string;
	readonly measures: readonly Measure[];
	close?(): Promise<void>;
}
