import path from 'node:path';
import { hashContent } from '#base/files/contentHash.ts';
import { getErrorMessage } from '#base/problems.ts';
import { addToHistory, readCommit, readOutcomes } from '#suites/gate/addToHistory.ts';
import { CaseOutcomes } from '#suites/gate/caseOutcomes.ts';
import { evaluateGate, type GateBaseline } from '#suites/gate/evaluateGate.ts';
import { getHistoryFile, pairOutcomes, readLatestEntry } from '#suites/gate/history.ts';
import { readResultFileState } from '#suites/results/resultFile.ts';
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
 * isn't passed, or `undefined` if the suite has no gate or variants are compared. Rejects with a {@link CliFault} if the history can't be
 * read or written.
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
		const unusable = baseline && (await findBaselineProblem(baseline.file));
		if (unusable !== undefined) {
			return [`${unusable}, so nothing is compared or added to the history.`];
		}
		const outcomes = await readOutcomes(resultFile);
		const reasons = [...outcomes.keys()].every(variant => variant === undefined)
			? await evaluateSuiteGate(suite, outcomes.get(undefined) ?? new CaseOutcomes(), { file, faults, history, baseline })
			: undefined;
		if (history) {
			await addToHistory(file, outcomes, {
				at: new Date().toISOString(),
				commit: await readCommit(suite.file),
				suite: suite.fingerprint,
				agents: hashContent(agents),
			});
		}
		return reasons;
	} catch (error) {
		throw error instanceof Error && ('syscall' in error || error.name === 'FileWriteError')
			? new CliFault(`${path.relative('', file)}: ${error.message}`)
			: error;
	}
}

/** Returns why results can't be compared with; `undefined` if they can. With fewer earlier results, fewer cases could be worse. */
async function findBaselineProblem(file: string): Promise<string | undefined> {
	const state = await readResultFileState(file);
	if (!state?.summary) {
		return 'The results in --baseline are incomplete, because their run was interrupted or had a filter';
	}
	if (state.count < state.summary.cases) {
		return `The results in --baseline are incomplete: they have ${state.count} of ${state.summary.cases} results`;
	}
	const { outcomes } = (await readOutcomes(file)).get(undefined) ?? new CaseOutcomes();
	return outcomes.size === 0 ? 'The file in --baseline has no results of test cases without variants' : undefined;
}

function findHistoryFile(suite: Suite): string {
	try {
		return getHistoryFile(suite);
	} catch (error) {
		throw new CliFault(`${path.relative('', suite.file)}: ${getErrorMessage(error)}`);
	}
}

async function evaluateSuiteGate(
	{ gate }: Suite,
	current: CaseOutcomes,
	{ file, faults, history, baseline }: Omit<GateContext, 'agents'> & { readonly file: string },
): Promise<readonly string[] | undefined> {
	const before = baseline ? await readBaseline(baseline.file) : await readHistory(file, current);
	const isAlone = !before && !history && (gate?.not_worse !== undefined || gate?.cost !== undefined);
	return (
		gate && [
			...evaluateGate(gate, current, before, faults),
			...(isAlone ? ['No earlier results to compare with. Add these with --history.'] : []),
		]
	);
}

async function readBaseline(file: string): Promise<GateBaseline> {
	const read = (await readOutcomes(file)).get(undefined) ?? new CaseOutcomes();
	const { outcomes, titles, judges, cost, currency } = read;
	return { outcomes, titles, judges, ran: outcomes.size - read.countOutcome('not-run'), cost, currency };
}

async function readHistory(file: string, current: CaseOutcomes): Promise<GateBaseline | undefined> {
	const entry = await readLatestEntry(file);
	if (!entry) {
		return undefined;
	}
	const { judges, passed, failed, cost, currency } = entry;
	return { outcomes: pairOutcomes(entry, current.sortedKeys), judges, ran: passed + failed, cost, currency };
}
