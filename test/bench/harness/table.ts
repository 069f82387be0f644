/** One measured line of a budget table. `--json` prints exactly these fields. */
export interface Entry {
	readonly table: string;
	readonly measure: string;
	/** In `unit`: the median of the rounds; if a line has several requirements, the used fraction of the one nearest to its limit. */
	readonly value: number;
	readonly unit: string;
	readonly limit: number;
	readonly ok: boolean;
}

/** A limit of a requirement; `unit` if it differs from that of its line. */
export type Limit = ({ readonly most: number } | { readonly least: number }) & { readonly unit?: string };

/** Result of a round. */
export interface Round {
	/** One value per requirement, by name: usually a ratio to a contender of the same round. */
	readonly values: Readonly<Record<string, number>>;
	/** Costs from which the values were computed, by name; printed as medians. */
	readonly costs?: Readonly<Record<string, number>>;
}

export interface RoundOptions {
	/** Rounds that aren't counted, while code is compiled and connections are opened. */
	readonly warmUp: number;
	/** Rounds that are counted; three times as many if they are on both sides of a limit. */
	readonly rounds: number;
}

/** Results of all rounds of a measure, and additional notes to print. */
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
	/** Description of the line. */
	readonly measure: string;
	/** Unit of its values, and of its costs if that differs. */
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
