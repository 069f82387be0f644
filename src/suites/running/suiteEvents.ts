import type { CaseResult, SuiteSummary } from '../results/caseResult.ts';
import type { SuiteFault } from '../suite.ts';

/**
 * What a batch tells, in this order: `started`, then any number of the others, then `finished` once. A `result` comes when its line is in the result file;
 * who does not read holds the batch up.
 */
export type SuiteEvent =
	| {
			readonly type: 'started';
			/** Cases that stand in the suite; rows of a dataset come on top and are not counted ahead. */
			readonly cases: number;
			/** Results that an interrupted batch had written: they are not told again. */
			readonly takenUp: number;
	  }
	| { readonly type: 'case'; readonly ordinal: number; readonly name: string; readonly row?: number }
	| { readonly type: 'result'; readonly result: CaseResult }
	/** A row of the dataset that cannot be read; the others run. */
	| { readonly type: 'fault'; readonly fault: SuiteFault }
	/** The service asks to wait (429, 529): nothing starts on this connection until then (Unix milliseconds). */
	| { readonly type: 'waiting'; readonly until: number; readonly why: string }
	| {
			readonly type: 'finished';
			readonly summary: SuiteSummary;
			/** Whether it was called off, and how many runs were stopped at the service then; `notStopped`: of these the service did not say so in time. */
			readonly cancelled?: { readonly stopped: number; readonly notStopped: number };
			/** Why it ended early: the service was not reached any more. */
			readonly unreached?: string;
	  };
