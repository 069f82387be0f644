import type { CheckKind, SuiteAttack, SuitePlace } from '../suite.ts';

/** Outcome of a case. `not-run`: the service couldn't be reached or rejected the request, or no request could be made from the case. */
export type Outcome = 'passed' | 'failed' | 'not-run';

/** A judge as it graded an output. */
export interface PinnedJudge {
	/** Name of the judge or the check, or else the rubric. */
	readonly name: string;
	readonly model: string;
	/** Hash of everything that a grade depends on other than the output: model, rubric, threshold, examples and prompt. */
	readonly key: string;
	/** True if the check is inverted by `not`. */
	readonly inverted?: true;
}

/** Result of one check. */
export interface CheckResult {
	readonly kind: CheckKind;
	/** Label in lists: the check's `name`, or a description of what it expects. */
	readonly name: string;
	/** True if `name` comes from the suite, so that it doesn't repeat `message`. */
	readonly named?: true;
	readonly passed: boolean;
	/** Score of the check, 0 to 1. */
	readonly score: number;
	readonly weight: number;
	/** Why the check failed; for judges and expressions, also why it passed. */
	readonly message?: string;
	/** Expected and actual value for a diff, if any. */
	readonly expected?: unknown;
	readonly actual?: unknown;
	readonly place: SuitePlace;
	/** Tokens used by a judge. */
	readonly judgeTokens?: number;
	/** The judge that graded `actual`, if any. */
	readonly judge?: PinnedJudge;
	/** True if there was nothing to decide by, such as a judge's reply without a grade. */
	readonly undecided?: true;
	/** Name for accepting the actual value as a snapshot. */
	readonly snapshot?: string;
}

/** The run as reported by the service. */
export interface CaseRun {
	/** `workflow_run_id` of an agent's run, for "Go to run". */
	readonly id?: string;
	readonly status: string;
	readonly error?: string;
	/** Duration in seconds as reported by the service, or else measured. */
	readonly seconds: number;
	readonly tokens: number;
	/** True if the service doesn't report the tokens. */
	readonly unknownTokens?: true;
	/** Tokens of the model that played the user, if any. */
	readonly userTokens?: number;
	/** Cost of all nodes in `currency`; absent if the service doesn't report it. */
	readonly cost?: number;
	readonly currency?: string;
	readonly steps: number;
}

/** Coverage of an agent by a run. */
export interface CaseCoverage {
	/** Agent name. */
	readonly agent: string;
	/** Number of executions by node ID. */
	readonly nodes: Readonly<Record<string, number>>;
	/** Number of uses by output handle, as `NODE/HANDLE`. */
	readonly ways: Readonly<Record<string, number>>;
}

/** Result of a case. It's a line of the result file, so all values are JSON. */
export interface CaseResult {
	/** See `SuiteCase.ordinal`. Unique in a batch. */
	readonly ordinal: number;
	readonly name: string;
	/** Name of the variant that ran, if variants are compared. */
	readonly variant?: string;
	/** Row of the dataset, from 1. */
	readonly row?: number;
	/** Hash of the values of the row, by which it's found in other results; absent in those of older versions. */
	readonly rowHash?: string;
	/** Number of the row among those with the same name, from 1; only if the suite has snapshots. */
	readonly nth?: number;
	/** Position of the case in the suite, a run file or the dataset. */
	readonly place: SuitePlace;
	readonly outcome: Outcome;
	/** Weighted mean of the scores of its checks, 0 to 1. */
	readonly score: number;
	/** Why the case couldn't run. */
	readonly fault?: string;
	/** True if the service couldn't be reached; a resumed batch runs the case again. */
	readonly unreached?: true;
	/** For a repeated case, how often it ran and passed. Other fields are from the first failed run, or else the last one. */
	readonly repeated?: { readonly runs: number; readonly passed: number };
	/** Total tokens and cost of all runs of a repeated case. `run` and `checks` are those of one run. */
	readonly used?: UsedAmounts;
	/** The run; absent if nothing ran. */
	readonly run?: CaseRun;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly outputs: Readonly<Record<string, unknown>>;
	readonly checks: readonly CheckResult[];
	/** Start time in Unix milliseconds. */
	readonly startedAt: number;
	/** Duration on this machine in seconds, without waiting for rate limits. */
	readonly seconds: number;
	/** Present if coverage is enabled, and for attacks. */
	readonly coverage?: CaseCoverage;
	/** The attack of this case, and whether it succeeded. */
	readonly attack?: CaseAttack;
}

/** Total tokens and cost of runs, with their judges and simulated users. */
export type UsedAmounts = Pick<SuiteSummary, 'tokens' | 'judgeTokens' | 'cost'> & { readonly userTokens: number };

/** An attack and its outcome. */
export interface CaseAttack extends Pick<SuiteAttack, 'pack' | 'name' | 'owasp'> {
	readonly succeeded: boolean;
}

/** Totals of a batch. */
export interface SuiteSummary {
	readonly cases: number;
	readonly passed: number;
	readonly failed: number;
	readonly notRun: number;
	/** Number of rows that couldn't be read, which don't count as cases. */
	readonly faults: number;
	/** Number of cases that the interrupted batch had finished. */
	readonly takenUp: number;
	/** Duration on this machine in seconds. */
	readonly seconds: number;
	/** Tokens used by the runs, without those used by judges and simulated users. */
	readonly tokens: number;
	readonly judgeTokens: number;
	/** Tokens used by simulated users, if any. */
	readonly userTokens?: number;
	readonly cost: number;
	readonly currency?: string;
}
