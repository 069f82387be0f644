import type { AttackSummary } from '#suites/attacks/attackSummary.ts';
import type { JudgeSummary } from '#suites/judges/judgeAgreement.ts';
import type { CaseResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Suite, SuiteFault } from '#suites/suite.ts';
import type { VariantComparison } from '#suites/variants/compareVariants.ts';

/** A report on suites. Receives each suite when it has finished, result by result, so that results don't fill the memory. */
export interface SuiteReport {
	/** Called before the first suite with the errors of suites that don't run because of them. */
	onFaults?(errors: readonly SuiteFault[]): Promise<void>;
	/** Called when a suite has finished, before its results are passed to `onResult`. */
	startSuite(suite: Suite, summary: SuiteSummary): Promise<void>;
	onResult(result: CaseResult): Promise<void>;
	/** Called after the last result of a suite whose variants were compared. */
	onComparison?(comparison: VariantComparison): Promise<void>;
	/** Called after the last result of a suite with attacks. */
	onAttacks?(summary: AttackSummary): Promise<void>;
	/** Called after the last result of a suite whose judges have labels. */
	onJudges?(judges: readonly JudgeSummary[]): Promise<void>;
	/** Called after the suite's last result. */
	endSuite(): Promise<void>;
	/** Called after `endSuite`. `reasons`: why the gate isn't passed. */
	onVerdict?(verdict: { readonly passed: boolean; readonly reasons: readonly string[] }): Promise<void>;
	/** Called after the last suite. */
	close(): Promise<void>;
}
