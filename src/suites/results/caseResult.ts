import type { CheckKind, SuitePlace } from '../suite.ts';

/** How a case came out; `not-run`: the service was not reached, refused the request, or the case could not be made into one. */
export type Outcome = 'passed' | 'failed' | 'not-run';

/** How one check came out. */
export interface CheckResult {
	readonly kind: CheckKind;
	/** What it is called in lists: its `name`, else what it looks at and expects. */
	readonly name: string;
	/** Whether `name` is the suite's own; else it says the same as `message`. */
	readonly named?: true;
	readonly passed: boolean;
	/** 0 to 1. */
	readonly score: number;
	readonly weight: number;
	/** A sentence on why it failed; of a judge and an expression also why it passed. */
	readonly message?: string;
	/** What was expected and what there was, for a diff; absent where a check has none. */
	readonly expected?: unknown;
	readonly actual?: unknown;
	readonly place: SuitePlace;
	/** Tokens that a judge took. */
	readonly judgeTokens?: number;
	/** Under which name the actual value is accepted as the snapshot. */
	readonly snapshot?: string;
}

/** What the service said of the run. */
export interface CaseRun {
	/** Of an agent's run: `workflow_run_id`, for "Go to run". */
	readonly id?: string;
	readonly status: string;
	readonly error?: string;
	/** Seconds, as the service says, else measured. */
	readonly seconds: number;
	readonly tokens: number;
	/** Price of all nodes in `currency`; absent where the service names none. */
	readonly cost?: number;
	readonly currency?: string;
	readonly steps: number;
}

/** What a run covered of its agent. */
export interface CaseCoverage {
	/** Agent name. */
	readonly agent: string;
	/** IDs of the nodes that ran, with how often. */
	readonly nodes: Readonly<Record<string, number>>;
	/** Ways out that were taken, as `NODE/HANDLE`, with how often. */
	readonly ways: Readonly<Record<string, number>>;
}

/** One case, finished. It is a line of the result file; everything in it is JSON. */
export interface CaseResult {
	/** See `SuiteCase.ordinal`: no two results of one batch have the same. */
	readonly ordinal: number;
	readonly name: string;
	/** Row of the dataset, from 1. */
	readonly row?: number;
	/** Which of the rows that share its name it is, from 1; only if the suite has snapshots. */
	readonly nth?: number;
	/** Where the case stands: in the suite, a run file or the dataset. */
	readonly place: SuitePlace;
	readonly outcome: Outcome;
	/** Weighted mean of the scores of its checks, 0 to 1. */
	readonly score: number;
	/** Why it could not be run: one sentence. */
	readonly fault?: string;
	/** It could not be run because the service was not reached; a batch that is taken up runs it again. */
	readonly unreached?: true;
	/** Of a repeated case: how often it ran and passed; what else stands here is of the first time that failed, else of the last. */
	readonly repeated?: { readonly runs: number; readonly passed: number };
	/** Absent where nothing was run. */
	readonly run?: CaseRun;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly outputs: Readonly<Record<string, unknown>>;
	readonly checks: readonly CheckResult[];
	/** Unix milliseconds. */
	readonly startedAt: number;
	/** From start to result on this machine, waits for the service's limits left out, in seconds. */
	readonly seconds: number;
	/** Where coverage is asked for. */
	readonly coverage?: CaseCoverage;
}

/** Sums of a batch. */
export interface SuiteSummary {
	/** Cases with a result. */
	readonly cases: number;
	readonly passed: number;
	readonly failed: number;
	readonly notRun: number;
	/** Rows that could not be read; they are no cases. */
	readonly faults: number;
	/** Of the cases above those that an interrupted batch had finished. */
	readonly takenUp: number;
	/** On this machine, from begin to end. */
	readonly seconds: number;
	/** Of the runs; those of judges are apart. */
	readonly tokens: number;
	readonly judgeTokens: number;
	readonly cost: number;
	readonly currency?: string;
}
