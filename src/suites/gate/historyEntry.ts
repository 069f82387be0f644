import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { isTimestamp } from '#base/text/timestamp.ts';

/** A line of a history file: the numbers of a batch, without inputs and outputs. */
export interface SuiteHistoryEntry {
	/** Time of the batch as ISO 8601. */
	readonly at: string;
	/** Git commit, if known. */
	readonly commit?: string;
	/** Hashes of the suite and of the agents. */
	readonly suite: string;
	readonly agents: string;
	/** Name of the variant in a comparison of variants. */
	readonly variant?: string;
	readonly cases: number;
	readonly passed: number;
	readonly failed: number;
	readonly notRun: number;
	/** Mean score. */
	readonly score: number;
	readonly tokens: number;
	readonly cost: number;
	readonly currency?: string;
	/** Durations of runs in seconds. */
	readonly p50?: number;
	readonly p95?: number;
	/** Share of passed checks by name or kind; absent in older histories, and for more than 50 of them. */
	readonly checks?: Readonly<Record<string, number>>;
	/** Hash of the judges, if any. */
	readonly judges?: string;
	/** Hash of the sorted names of the cases. */
	readonly keys: string;
	/** Outcomes of the cases in the order of their sorted names, 2 bits each, as base64; absent for more than 5,000 cases. */
	readonly outcomes?: string;
}

/** Maximum number of checks whose rates are stored. */
export const mostChecks = 50;
/** Maximum length of a line. Names of checks are the only long texts in it. */
const longestLine = 1_000_000;

/** Milliseconds that the clock of another machine may be ahead: a day. */
const mostAheadMs = 86_400_000;

/** Numbers that all entries have. */
const numbers = ['cases', 'passed', 'failed', 'notRun', 'score', 'tokens', 'cost'];

/**
 * Reads a line of a history file; `undefined` if it's damaged, for example by a failed merge, or from the future: written by a machine with
 * a wrong clock, it would stay the latest entry for years.
 */
export function parseHistoryLine(line: string): SuiteHistoryEntry | undefined {
	const entry = line.length > longestLine ? undefined : tryParseJson(line);
	return isHistoryEntry(entry) ? entry : undefined;
}

function isHistoryEntry(value: unknown): value is SuiteHistoryEntry {
	return (
		isRecord(value) &&
		isTimestamp(value['at'], Date.now() + mostAheadMs) &&
		typeof value['keys'] === 'string' &&
		numbers.every(name => isAmount(value[name])) &&
		['p50', 'p95'].every(name => value[name] === undefined || isAmount(value[name])) &&
		['commit', 'currency', 'judges', 'outcomes', 'variant'].every(name => value[name] === undefined || typeof value[name] === 'string') &&
		(value['checks'] === undefined || isRates(value['checks']))
	);
}

function isAmount(value: unknown): boolean {
	return Number.isFinite(value) && (value as number) >= 0;
}

function isRates(value: unknown): boolean {
	const rates = isRecord(value) ? Object.values(value) : [];
	return isRecord(value) && rates.length <= mostChecks && rates.every(rate => isAmount(rate) && (rate as number) <= 1);
}
