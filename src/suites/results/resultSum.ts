import { joinCurrencies } from '#base/records/amount.ts';
import type { CaseResult, CaseRun, SuiteSummary, UsedAmounts } from './caseResult.ts';

/** Adds up results to a summary. */
export class ResultSum {
	faults = 0;
	takenUp = 0;
	readonly #counts = { passed: 0, failed: 0, 'not-run': 0 };
	#tokens = 0;
	#judgeTokens = 0;
	#userTokens = 0;
	#cost = 0;
	#currency: string | undefined;
	readonly #keepsRuns: boolean;

	/** @param keepsRuns true if the runs are those of an earlier batch, so that they use nothing */
	constructor({ keepsRuns = false }: { readonly keepsRuns?: boolean } = {}) {
		this.#keepsRuns = keepsRuns;
	}

	add(result: CaseResult): void {
		const { tokens, userTokens, judgeTokens, cost } = result.used ?? sumUsedAmounts([result]);
		this.#counts[result.outcome]++;
		this.#tokens += tokens;
		this.#userTokens += userTokens;
		this.#judgeTokens += judgeTokens;
		this.#cost += cost;
		this.#currency = joinCurrencies(this.#currency, result.run?.currency);
	}

	/** Cost, and tokens of agents, judges and simulated users so far. */
	get used(): { readonly cost: number; readonly tokens: number } {
		return this.#keepsRuns
			? { cost: 0, tokens: this.#judgeTokens }
			: { cost: this.#cost, tokens: this.#tokens + this.#judgeTokens + this.#userTokens };
	}

	/** Creates the summary of a batch with this duration in seconds. */
	createSummary(seconds: number): SuiteSummary {
		const { passed, failed, 'not-run': notRun } = this.#counts;
		return {
			cases: passed + failed + notRun,
			passed,
			failed,
			notRun,
			faults: this.faults,
			takenUp: this.takenUp,
			seconds,
			tokens: this.#tokens,
			judgeTokens: this.#judgeTokens,
			...(this.#userTokens > 0 && { userTokens: this.#userTokens }),
			cost: this.#cost,
			...(this.#currency === undefined ? {} : { currency: this.#currency }),
		};
	}
}

/** Adds up what the runs of a case used. */
export function sumUsedAmounts(results: readonly Pick<CaseResult, 'run' | 'checks'>[]): UsedAmounts {
	const addUp = (getAmount: (result: (typeof results)[number]) => number) => results.reduce((sum, each) => sum + getAmount(each), 0);
	return {
		tokens: addUp(({ run }) => run?.tokens ?? 0),
		userTokens: addUp(({ run }) => run?.userTokens ?? 0),
		judgeTokens: addUp(({ checks }) => checks.reduce((sum, { judgeTokens = 0 }) => sum + judgeTokens, 0)),
		cost: addUp(({ run }) => run?.cost ?? 0),
	};
}

/** Returns the tokens and cost of a run, as a mean over all runs of a repeated case: the one that is kept may have failed early. */
export function averageRunAmounts(
	{ repeated, used }: Pick<CaseResult, 'repeated' | 'used'>,
	run: Pick<CaseRun, 'tokens' | 'cost'>,
): Pick<CaseRun, 'tokens' | 'cost'> {
	if (!repeated || !used) {
		return run;
	}
	const cost = used.cost > 0 ? used.cost / repeated.runs : run.cost;
	return { tokens: used.tokens / repeated.runs, ...(cost !== undefined && { cost }) };
}
