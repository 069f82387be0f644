import { createHash } from 'node:crypto';
import { joinCurrencies } from '#base/records/amount.ts';
import type { CaseResult, Outcome } from '../results/caseResult.ts';
import { averageRunAmounts } from '../results/resultSum.ts';

/** Outcomes of a batch by case, with what a gate and a history need. */
export class CaseOutcomes {
	readonly #outcomes = new Map<string, Outcome>();
	readonly #scores: number[] = [];
	readonly #seconds: number[] = [];
	readonly #doubled: string[] = [];
	readonly #judges = new Set<string>();
	readonly #undecided: string[] = [];
	/** Passed and all checks by name or kind. */
	readonly #checks = new Map<string, { passed: number; all: number }>();
	#tokens = 0;
	#cost = 0;
	#currency: string | undefined;

	add(result: CaseResult): void {
		const { name, row, outcome, score, run, checks } = result;
		// rows can have the same name
		const key = row === undefined ? name : `${name} (row ${row})`;
		if (this.#outcomes.has(key)) {
			this.#doubled.push(key);
		}
		this.#outcomes.set(key, outcome);
		for (const { judge, kind, name: title, named, passed } of checks) {
			if (judge) {
				this.#judges.add(`${judge.name} ${judge.key}`);
			}
			const counts = this.#checks.get(named ? title : kind) ?? { passed: 0, all: 0 };
			this.#checks.set(named ? title : kind, { passed: counts.passed + Number(passed), all: counts.all + 1 });
		}
		if (checks.some(({ undecided, weight }) => undecided && weight > 0)) {
			this.#undecided.push(key);
		}
		if (run && outcome !== 'not-run') {
			this.#scores.push(score);
			this.#seconds.push(run.seconds);
			const { tokens, cost = 0 } = averageRunAmounts(result, run);
			this.#tokens += tokens;
			this.#cost += cost;
			this.#currency = joinCurrencies(this.#currency, run.currency);
		}
	}

	/** Outcomes by case. */
	get outcomes(): ReadonlyMap<string, Outcome> {
		return this.#outcomes;
	}

	/** Cases with the same name. */
	get doubled(): readonly string[] {
		return this.#doubled;
	}

	/** Cases with a check that couldn't be evaluated. */
	get undecided(): readonly string[] {
		return this.#undecided;
	}

	/** Share of passed checks, by the name of the check in the suite, or else its kind. */
	get checkRates(): Readonly<Record<string, number>> {
		return Object.fromEntries([...this.#checks].sort().map(([name, { passed, all }]) => [name, Number((passed / all).toFixed(4))]));
	}

	get scores(): readonly number[] {
		return this.#scores;
	}

	get seconds(): readonly number[] {
		return this.#seconds;
	}

	get tokens(): number {
		return Math.round(this.#tokens);
	}

	get cost(): number {
		return this.#cost;
	}

	get currency(): string | undefined {
		return this.#currency;
	}

	/** Hash of the judges; `undefined` without any. */
	get judges(): string | undefined {
		return this.#judges.size === 0 ? undefined : hashKeys([...this.#judges].sort());
	}

	countOutcome(outcome: Outcome): number {
		return [...this.#outcomes.values()].filter(each => each === outcome).length;
	}

	/** Names of the cases in an order that doesn't depend on the suite's. */
	get sortedKeys(): readonly string[] {
		return [...this.#outcomes.keys()].sort();
	}
}

/** Hashes names, such as those of cases to find entries of a history with the same cases. */
export function hashKeys(keys: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(keys)).digest('hex').slice(0, 32);
}
