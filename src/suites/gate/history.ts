import path from 'node:path';
import { resolveInsideToWrite } from '#base/files/fileScope.ts';
import { readLines } from '#base/files/readLines.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { isTimestamp } from '#base/text/timestamp.ts';
import type { Outcome } from '../results/caseResult.ts';
import { computeMean, getPercentile } from '../statistics/averages.ts';
import type { Suite } from '../suite.ts';
import { type CaseOutcomes, hashKeys } from './caseOutcomes.ts';

/** A line of a history file: the numbers of a batch, without inputs and outputs. */
export interface SuiteHistoryEntry {
	/** Time of the batch as ISO 8601. */
	readonly at: string;
	/** Git commit, if known. */
	readonly commit?: string;
	/** Hashes of the suite and of the agents. */
	readonly suite: string;
	readonly agents: string;
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

/** Maximum number of cases whose outcomes are stored. */
const mostOutcomes = 5_000;
/** Maximum number of checks whose rates are stored. */
const mostChecks = 50;

/** Milliseconds that the clock of another machine may be ahead: a day. */
const mostAheadMs = 86_400_000;

/** Numbers that all entries have. */
const numbers = ['cases', 'passed', 'failed', 'notRun', 'score', 'tokens', 'cost'];

const codes: readonly Outcome[] = ['passed', 'failed', 'not-run'];

/** Returns the history file of a suite file. */
export function getHistoryFile({ file, root }: Pick<Suite, 'file' | 'root'>): string {
	const history = `${file.replace(/(\.suite)?\.json$/i, '')}.suite.history.jsonl`;
	return resolveInsideToWrite(history, { folder: path.dirname(file), root });
}

/** Creates the entry of a batch. */
export function createHistoryEntry(
	outcomes: CaseOutcomes,
	about: Pick<SuiteHistoryEntry, 'at' | 'suite' | 'agents'> & { readonly commit: string | undefined },
): SuiteHistoryEntry {
	const { commit, ...hashes } = about;
	const { sortedKeys, scores, seconds, tokens, cost, currency } = outcomes;
	const { checkRates } = outcomes;
	const [p50, p95] = [getPercentile(seconds, 0.5), getPercentile(seconds, 0.95)];
	return {
		...hashes,
		...(commit !== undefined && { commit }),
		cases: sortedKeys.length,
		passed: outcomes.countOutcome('passed'),
		failed: outcomes.countOutcome('failed'),
		notRun: outcomes.countOutcome('not-run'),
		score: scores.length === 0 ? 0 : computeMean(scores, score => score),
		tokens,
		cost,
		...(currency !== undefined && { currency }),
		...(p50 !== undefined && p95 !== undefined && { p50, p95 }),
		...(Object.keys(checkRates).length <= mostChecks && { checks: checkRates }),
		...(outcomes.judges !== undefined && { judges: outcomes.judges }),
		keys: hashKeys(sortedKeys),
		...(sortedKeys.length <= mostOutcomes && { outcomes: packOutcomes(sortedKeys.map(key => outcomes.outcomes.get(key)!)) }),
	};
}

/** Returns the latest entry of a history, in any order of lines; `undefined` if there is none. Rejects if the file can't be read. */
export async function readLatestEntry(file: string): Promise<SuiteHistoryEntry | undefined> {
	let latest: SuiteHistoryEntry | undefined;
	for await (const entry of readEntries(file)) {
		latest = !latest || Date.parse(entry.at) >= Date.parse(latest.at) ? entry : latest;
	}
	return latest;
}

/** Returns the last entries of a history from old to new, whatever the order of its lines. Rejects if the file can't be read. */
export async function readRecentEntries(file: string, most: number): Promise<readonly SuiteHistoryEntry[]> {
	let entries: SuiteHistoryEntry[] = [];
	const keepLatest = () => {
		entries = entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-most);
	};
	for await (const entry of readEntries(file)) {
		entries.push(entry);
		if (entries.length >= 2 * most) {
			keepLatest();
		}
	}
	keepLatest();
	return entries;
}

async function* readEntries(file: string): AsyncGenerator<SuiteHistoryEntry, void> {
	try {
		for await (const line of readLines(file)) {
			const entry = tryParseJson(line);
			if (isHistoryEntry(entry)) {
				yield entry;
			}
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
			throw error;
		}
	}
}

/** Returns the outcomes of an entry by case, if it has the same cases and isn't damaged. */
export function pairOutcomes(
	{ keys, outcomes }: SuiteHistoryEntry,
	sortedKeys: readonly string[],
): ReadonlyMap<string, Outcome> | undefined {
	if (outcomes === undefined || keys !== hashKeys(sortedKeys)) {
		return undefined;
	}
	const bytes = Buffer.from(outcomes, 'base64');
	if (bytes.length !== Math.ceil(sortedKeys.length / 4)) {
		return undefined;
	}
	return new Map(sortedKeys.map((key, at) => [key, codes[((bytes[at >> 2] ?? 0) >> ((at % 4) * 2)) & 3] ?? 'not-run']));
}

function packOutcomes(outcomes: readonly Outcome[]): string {
	const bytes = Buffer.alloc(Math.ceil(outcomes.length / 4));
	for (const [at, outcome] of outcomes.entries()) {
		bytes[at >> 2]! |= codes.indexOf(outcome) << ((at % 4) * 2);
	}
	return bytes.toString('base64');
}

/**
 * Damaged entries, such as those of a failed merge, are skipped. So are those from the future, written by a machine with a wrong clock: one of
 * them would stay the latest entry for years.
 */
function isHistoryEntry(value: unknown): value is SuiteHistoryEntry {
	return (
		isRecord(value) &&
		isTimestamp(value['at'], Date.now() + mostAheadMs) &&
		typeof value['keys'] === 'string' &&
		numbers.every(name => isAmount(value[name])) &&
		['p50', 'p95'].every(name => value[name] === undefined || isAmount(value[name])) &&
		['commit', 'currency', 'judges', 'outcomes'].every(name => value[name] === undefined || typeof value[name] === 'string') &&
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
