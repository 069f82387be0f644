import type { CaseResult, SuiteSummary } from '../results/caseResult.ts';
import type { SuiteFault } from '../suite.ts';

/**
 * Events of a batch in this order: `started`, then any number of others, then `finished` once. A `result` event is emitted once its line is
 * in the result file. The batch waits for slow readers.
 */
export type SuiteEvent =
	| {
			readonly type: 'started';
			/** Number of cases in the suite, without dataset rows, which aren't counted in advance. */
			readonly cases: number;
			/** Number of results of the interrupted batch, which aren't reported again. */
			readonly takenUp: number;
	  }
	| { readonly type: 'case'; readonly ordinal: number; readonly name: string; readonly row?: number }
	| { readonly type: 'result'; readonly result: CaseResult }
	/** A dataset row that can't be read; the others run. */
	| { readonly type: 'fault'; readonly fault: SuiteFault }
	/** The service asks to wait (429, 529): no run starts on this connection until then (Unix milliseconds). */
	| { readonly type: 'waiting'; readonly until: number; readonly why: string }
	| {
			readonly type: 'finished';
			readonly summary: SuiteSummary;
			/** Set if the batch was canceled, with the number of stopped runs. `notStopped`: the service didn't confirm the stop in time. */
			readonly cancelled?: { readonly stopped: number; readonly notStopped: number };
			/** Why the batch ended early: the service couldn't be reached anymore. */
			readonly unreached?: string;
			/** True if the batch ended before all cases had a result, for these reasons or after the first failure. */
			readonly isPartial?: true;
	  };
