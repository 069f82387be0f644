import path from 'node:path';
import { resolveInsideToWrite } from '#base/files/fileScope.ts';
import { readLines } from '#base/files/readLines.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { Outcome } from '../results/caseResult.ts';
import { computeMean, getPercentile } from '../statistics/averages.ts';
import type { Suite } from '../suite.ts';
import { type CaseOutcomes, hashKeys } from './caseOutcomes.ts';

/** A line of a history file: the numbers of a batch, without inputs and outputs. */
interface HistoryEntry {
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
	/** Hash of the judges, if any. */
	readonly judges?: string;
	/** Hash of the sorted names of the cases. */
	readonly keys: string;
	/** Outcomes of the cases in the order of their sorted names, 2 bits each, as base64; absent for more than 5,000 cases. */
	readonly outcomes?: string;
}

/** Maximum number of cases whose outcomes are stored. */
const mostOutcomes = 5_000;

const codes: readonly Outcome[] = ['passed', 'failed', 'not-run'];

/** Returns the history file of a suite file. */
export function getHistoryFile({ file, root }: Pick<Suite, 'file' | 'root'>): string {
	const history = file.replace(/(\.suite)?\.json$/, '.suite.history.jsonl');
	return resolveInsideToWrite(history, { folder: path.dirname(file), root });
}

/** Creates the entry of a batch. */
export function createHistoryEntry(
	outcomes: CaseOutcomes,
	about: Pick<HistoryEntry, 'at' | 'suite' | 'agents'> & { readonly commit: string | undefined },
): HistoryEntry {
	const { commit, ...hashes } = about;
	const { sortedKeys, scores, seconds, tokens, cost, currency } = outcomes;
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
		...(outcomes.judges !== undefined && { judges: outcomes.judges }),
		keys: hashKeys(sortedKeys),
		...(sortedKeys.length <= mostOutcomes && { outcomes: packOutcomes(sortedKeys.map(key => outcomes.outcomes.get(key)!)) }),
	};
}

/** Returns the latest entry of a history, in any order of lines; `undefined` if there is none. Rejects if the file can't be read. */
export async function readLatestEntry(file: string): Promise<HistoryEntry | undefined> {
	let latest: HistoryEntry | undefined;
	try {
		for await (const line of readLines(file)) {
			const entry = tryParseJson(line);
			if (isHistoryEntry(entry) && (!latest || Date.parse(entry.at) >= Date.parse(latest.at))) {
				latest = entry;
			}
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
			throw error;
		}
	}
	return latest;
}

/** Returns the outcomes of an entry by case, if it has the same cases. */
export function pairOutcomes({ keys, outcomes }: HistoryEntry, sortedKeys: readonly string[]): ReadonlyMap<string, Outcome> | undefined {
	if (outcomes === undefined || keys !== hashKeys(sortedKeys)) {
		return undefined;
	}
	const bytes = Buffer.from(outcomes, 'base64');
	return new Map(sortedKeys.map((key, at) => [key, codes[((bytes[at >> 2] ?? 0) >> ((at % 4) * 2)) & 3] ?? 'not-run']));
}

function packOutcomes(outcomes: readonly Outcome[]): string {
	const bytes = Buffer.alloc(Math.ceil(outcomes.length / 4));
	for (const [at, outcome] of outcomes.entries()) {
		bytes[at >> 2]! |= codes.indexOf(outcome) << ((at % 4) * 2);
	}
	return bytes.toString('base64');
}

/** Damaged entries, such as those of a failed merge, are skipped. */
function isHistoryEntry(value: unknown): value is HistoryEntry {
	return (
		isRecord(value) &&
		typeof value['at'] === 'string' &&
		!Number.isNaN(Date.parse(value['at'])) &&
		typeof value['keys'] === 'string' &&
		Number.isFinite(value['cases']) &&
		Number.isFinite(value['cost']) &&
		(value['judges'] === undefined || typeof value['judges'] === 'string') &&
		(value['outcomes'] === undefined || typeof value['outcomes'] === 'string')
	);
}
