import path from 'node:path';
import { appendJsonLine } from '#base/files/appendLine.ts';
import { runGit } from '../git.ts';
import { readResults } from '../results/resultFile.ts';
import { CaseOutcomes } from './caseOutcomes.ts';
import { createHistoryEntry } from './history.ts';
import type { SuiteHistoryEntry } from './historyEntry.ts';

/** Outcomes by variant; those of a batch without variants have the key `undefined`. */
type VariantOutcomes = ReadonlyMap<string | undefined, CaseOutcomes>;

/** Reads the outcomes of a result file. Rejects if it can't be read. */
export async function readOutcomes(file: string): Promise<VariantOutcomes> {
	const outcomes = new Map<string | undefined, CaseOutcomes>();
	for await (const result of readResults(file)) {
		const known = outcomes.get(result.variant) ?? new CaseOutcomes();
		known.add(result);
		outcomes.set(result.variant, known);
	}
	return outcomes;
}

/** Adds an entry for each variant to a history file. Rejects with a `FileWriteError`. */
export async function addToHistory(
	file: string,
	outcomes: VariantOutcomes,
	about: Pick<SuiteHistoryEntry, 'at' | 'suite' | 'agents'> & { readonly commit: string | undefined },
): Promise<void> {
	for (const [variant, each] of outcomes) {
		await appendJsonLine(file, createHistoryEntry(each, { ...about, ...(variant !== undefined && { variant }) }));
	}
}

/** Returns the current Git commit of a file's repository, or the last one before a time; `undefined` outside a repository. */
export async function readCommit(file: string, before?: string): Promise<string | undefined> {
	const args = before === undefined ? ['rev-parse', 'HEAD'] : ['rev-list', '-1', `--before=${before}`, 'HEAD'];
	const commit = await runGit(path.dirname(file), args).catch(() => '');
	return commit.trim() || undefined;
}
