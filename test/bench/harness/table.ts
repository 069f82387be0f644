/** One measured line of a budget table. `--json` prints exactly these fields. */
export interface Entry {
	readonly table: string;
	readonly measure: string;
	/** Median of the rounds, in `unit`. If a line has several requirements: the used fraction of the limit that it is nearest to. */
	readonly value: number;
	readonly unit: string;
	readonly limit: number;
	readonly ok: boolean;
}

/** Limit of a requirement, with its unit if that differs from the unit of the line. */
export type Limit = ({ readonly most: number } | { readonly least: number }) & { readonly unit?: string };

/** Result of a round. */
export interface Round {
	/** One value per requirement, by name: usually a ratio to a contender of the same round. */
	readonly values: Readonly<Record<string, number>>;
	/** Costs from which the values were computed, by name; printed as medians. */
	readonly costs?: Readonly<Record<string, number>>;
}

export interface RoundOptions {
	/** Number of rounds that aren't counted, because code is still compiled and connections are still opened. */
	readonly warmUp: number;
	/** Number of counted rounds. It grows up to three times if the results are on both sides of a limit. */
	readonly rounds: number;
}

/** Results of all rounds of a measure, and additional notes to print. */
export interface Series {
	readonly rounds: readonly Round[];
	readonly notes?: readonly string[];
}

/** Runs rounds until their results are clear enough to judge. */
export type InRounds = (options: RoundOptions, round: () => Promise<Round>) => Promise<Series>;

/** One line of a budget table. */
export interface Measure {
	/** Short name, with which it can be run alone: `npm run bench -- client/load`. */
	readonly name: string;
	readonly measure: string;
	/** Unit of the values; `costUnit` is the unit of the costs if it differs. */
	readonly unit: string;
	readonly costUnit?: string;
	/** Limits by name. */
	readonly limits: Readonly<Record<string, Limit>>;
	run(inRounds: InRounds): Promise<Series>;
}

/** A table of budgets. A file `test/bench/NAME.ts` exports one as `table`; `close` releases resources that its measures share. */
export interface BenchTable {
	readonly name: string;
	readonly measures: readonly Measure[];
	close?(): Promise<void>;
}
