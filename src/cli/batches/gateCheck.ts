import path from 'node:path';
import { appendJsonLine } from '#base/files/appendLine.ts';
import { hashContent } from '#base/files/contentHash.ts';
import { getErrorMessage } from '#base/problems.ts';
import { CaseOutcomes } from '#suites/gate/caseOutcomes.ts';
import { evaluateGate, type GateBaseline } from '#suites/gate/evaluateGate.ts';
import { createHistoryEntry, getHistoryFile, pairOutcomes, readLatestEntry } from '#suites/gate/history.ts';
import { runGit } from '#suites/git.ts';
import { readResultFileState, readResults } from '#suites/results/resultFile.ts';
import type { Suite } from '#suites/suite.ts';
import { CliFault } from '../cliFault.ts';

interface GateContext {
	/** Number of rows that couldn't be read. */
	readonly faults: number;
	/** Text that identifies the versions of the agents. */
	readonly agents: unknown;
	/** True to add the results to the history. */
	readonly history: boolean;
	/** Earlier results of the suite, given by `--baseline`; they take precedence over the history. */
	readonly baseline: { readonly file: string } | undefined;
}

/**
 * Checks the gate of a suite against its history or baseline, and then adds the results to the history. Resolves to the reasons why the gate
 * isn't passed, or `undefined` without a gate. Rejects with a {@link CliFault} if the history can't be read or written.
 */
export async function checkGate(
	suite: Suite,
	resultFile: string,
	{ faults, agents, history, baseline }: GateContext,
): Promise<readonly string[] | undefined> {
	const file = findHistoryFile(suite);
	if (!(await readResultFileState(resultFile))?.summary) {
		// the first cases alone could pass the gate
		return ['Stopped before all test cases ran, so nothing is compared or added to the history.'];
	}
	try {
		if (baseline && !(await readResultFileState(baseline.file))?.summary) {
			// with fewer earlier results, fewer cases could be worse
			return [
				'The results in --baseline are incomplete, because their run was interrupted, so nothing is compared or added to the history.',
			];
		}
		const current = await readOutcomes(resultFile);
		const before = baseline ? await readBaseline(baseline.file) : await readHistory(file, current);
		const { gate } = suite;
		const isAlone = !before && !history && (gate?.not_worse !== undefined || gate?.cost !== undefined);
		const reasons = gate && [
			...evaluateGate(gate, current, before, faults),
			...(isAlone ? ['No earlier results to compare with. Add these with --history.'] : []),
		];
		if (history) {
			const about = {
				at: new Date().toISOString(),
				commit: await readCommit(suite.file),
				suite: suite.fingerprint,
				agents: hashContent(agents),
			};
			await appendJsonLine(file, createHistoryEntry(current, about));
		}
		return reasons;
	} catch (error) {
		throw error instanceof Error && ('syscall' in error || error.name === 'FileWriteError')
			? new CliFault(`${path.relative('', file)}: ${error.message}`)
			: error;
	}
}

function findHistoryFile(suite: Suite): string {
	try {
		return getHistoryFile(suite);
	} catch (error) {
		throw new CliFault(`${path.relative('', suite.file)}: ${getErrorMessage(error)}`);
	}
}

async function readOutcomes(file: string): Promise<CaseOutcomes> {
	const outcomes = new CaseOutcomes();
	for await (const result of readResults(file)) {
		outcomes.add(result);
	}
	return outcomes;
}

async function readBaseline(file: string): Promise<GateBaseline> {
	const { outcomes, judges, cost, currency } = await readOutcomes(file);
	return { outcomes, judges, cases: outcomes.size, cost, currency };
}

async function readHistory(file: string, current: CaseOutcomes): Promise<GateBaseline | undefined> {
	const entry = await readLatestEntry(file);
	if (!entry) {
		return undefined;
	}
	const { judges, cases, cost, currency } = entry;
	return { outcomes: pairOutcomes(entry, current.sortedKeys), judges, cases, cost, currency };
}

/** Reads the current Git commit; `undefined` outside a repository. */
async function readCommit(file: string): Promise<string | undefined> {
	try {
		return (await runGit(path.dirname(file), ['rev-parse', 'HEAD'])).trim();
	} catch {
		return undefined;
	}
}
