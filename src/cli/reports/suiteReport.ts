import type { CaseResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Suite } from '#suites/suite.ts';

/** What is written of suites: told of each suite when it has ended, result by result, so that none is held in memory. */
export interface SuiteReport {
	/** A suite has ended; its results follow. */
	begin(suite: Suite, summary: SuiteSummary): Promise<void>;
	result(result: CaseResult): Promise<void>;
	/** All of the suite's results were told. */
	end(): Promise<void>;
	/** No suite follows; what is written is whole. */
	close(): Promise<void>;
}
