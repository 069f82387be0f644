import type { AttackSummary } from '#suites/attacks/attackSummary.ts';
import type { JudgeSummary } from '#suites/judges/judgeAgreement.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import type { Change } from '#suites/results/comparison.ts';
import type { ResultHead } from '#suites/results/resultFile.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import type { Suite } from '#suites/suite.ts';
import type { VariantComparison } from '#suites/variants/compareVariants.ts';
import { printLine, toJsonLine, writeOutput } from '../output.ts';
import { formatFaultLine } from './faultLine.ts';

/**
 * Prints results to standard output in the format of result files, which `--baseline` reads: a head per suite, a line per case, and a
 * summary, with `isPartial` if some cases have no result. Messages go to standard error.
 */
export class JsonReport {
	readonly #suite: Suite;
	readonly #connection: string;
	readonly #isWhole: boolean;

	/** `connection`: name of the service. `isWhole`: false if a filter selects some of the cases. */
	constructor(suite: Suite, { connection, isWhole }: { readonly connection: string; readonly isWhole: boolean }) {
		this.#suite = suite;
		this.#connection = connection;
		this.#isWhole = isWhole;
	}

	async onEvent(event: SuiteEvent): Promise<void> {
		if (event.type === 'started') {
			const { file, fingerprint } = this.#suite;
			const head: ResultHead = { version: 1, suite: file, fingerprint, connection: this.#connection, startedAt: Date.now() };
			await writeOutput(toJsonLine({ head }));
		} else if (event.type === 'finished') {
			await writeOutput(toJsonLine({ summary: event.summary, ...((event.isPartial || !this.#isWhole) && { isPartial: true }) }));
		} else if (event.type === 'fault') {
			printLine(formatFaultLine(event.fault));
		}
	}

	async onResult(result: CaseResult, change?: Change): Promise<void> {
		await writeOutput(toJsonLine({ result, ...(change && { change }) }));
	}

	/** Prints the comparison of variants, which `--baseline` skips. */
	async onComparison(comparison: VariantComparison): Promise<void> {
		await writeOutput(toJsonLine({ comparison }));
	}

	/** Prints the rates of attacks, which `--baseline` skips. */
	async onAttacks(attacks: AttackSummary): Promise<void> {
		await writeOutput(toJsonLine({ attacks }));
	}

	/** Prints the agreement of judges, which `--baseline` skips. */
	async onJudges(judges: readonly JudgeSummary[]): Promise<void> {
		await writeOutput(toJsonLine({ judges }));
	}

	close(): void {}
}
