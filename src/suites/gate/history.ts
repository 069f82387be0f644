import path from 'node:path';
import { resolveInsideToWrite } from '#base/files/fileScope.ts';
import { readLines } from '#base/files/readLines.ts';
import type { Outcome } from '../results/caseResult.ts';
import { computeMean, getPercentile } from '../statistics/averages.ts';
import type { Suite } from '../suite.ts';
import { type CaseOutcomes, hashKeys } from './caseOutcomes.ts';
import { mostChecks, parseHistoryLine, type SuiteHistoryEntry } from './historyEntry.ts';

/** Maximum number of cases whose outcomes are stored. */
const mostOutcomes = 5_000;
const codes: readonly Outcome[] = ['passed', 'failed', 'not-run'];

/** Returns the path of the history file of a suite file, or its name for a name. */
export function getHistoryFileName(file: string): string {
	return `${file.replace(/(\.suite)?\.json$/i, '')}.suite.history.jsonl`;
}

/** Returns the history file of a suite file. Throws `OutsideScope` if it's a link that leaves the root. */
export function getHistoryFile({ file, root }: Pick<Suite, 'file' | 'root'>): string {
	return resolveInsideToWrite(getHistoryFileName(file), { folder: path.dirname(file), root });
}

/** Creates the entry of a batch. */
export function createHistoryEntry(
	outcomes: CaseOutcomes,
	about: Pick<SuiteHistoryEntry, 'at' | 'suite' | 'agents' | 'variant'> & { readonly commit: string | undefined },
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

/**
 * Returns the latest entry of a history, in any order of lines; `undefined` if there is none. Entries of variants don't count. Rejects if the
 * file can't be read.
 */
export async function readLatestEntry(file: string): Promise<SuiteHistoryEntry | undefined> {
	let latest: SuiteHistoryEntry | undefined;
	for await (const entry of readEntries(file)) {
		const isLater = !latest || (entry && Date.parse(entry.at) >= Date.parse(latest.at));
		latest = entry && entry.variant === undefined && isLater ? entry : latest;
	}
	return latest;
}

/** The end of a history. */
export interface RecentHistory {
	/** Entries from old to new, whatever the order of the lines. */
	readonly entries: readonly SuiteHistoryEntry[];
	/** Number of all entries. */
	readonly count: number;
	/** Number of lines that can't be read, for example because a merge failed. */
	readonly damaged: number;
}

/** Reads the last entries of a history. Without a file, there are none. Rejects if the file can't be read. */
export async function readRecentHistory(file: string, most: number): Promise<RecentHistory> {
	let recent: { readonly entry: SuiteHistoryEntry; readonly time: number }[] = [];
	let [count, damaged] = [0, 0];
	const keepLatest = () => {
		recent = recent.sort((a, b) => a.time - b.time).slice(-most);
	};
	for await (const entry of readEntries(file)) {
		if (!entry) {
			damaged++;
			continue;
		}
		count++;
		recent.push({ entry, time: Date.parse(entry.at) });
		if (recent.length >= 2 * most) {
			keepLatest();
		}
	}
	keepLatest();
	return { entries: recent.map(({ entry }) => entry), count, damaged };
}

/** Yields the entries of a file, and `undefined` for damaged lines. */
async function* readEntries(file: string): AsyncGenerator<SuiteHistoryEntry | undefined, void> {
	try {
		for await (const line of readLines(file)) {
			if (line.trim() !== '') {
				yield parseHistoryLine(line);
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
