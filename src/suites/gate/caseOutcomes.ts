import { createHash } from 'node:crypto';
import { joinCurrencies } from '#base/records/amount.ts';
import { type CaseIdentity, isUnnamedRow } from '../results/caseIndex.ts';
import type { CaseResult, Outcome } from '../results/caseResult.ts';
import { averageRunAmounts } from '../results/resultSum.ts';

interface CaseOutcome extends CaseIdentity {
	readonly outcome: Outcome;
}

interface OutcomesByKey {
	readonly outcomes: ReadonlyMap<string, Outcome>;
	/** Names to show, by key. */
	readonly titles: ReadonlyMap<string, string>;
	readonly doubled: readonly string[];
}

/** Outcomes of a batch by case, with what a gate and a history need. */
export class CaseOutcomes {
	readonly #cases: CaseOutcome[] = [];
	#byKey: OutcomesByKey | undefined;
	readonly #scores: number[] = [];
	readonly #seconds: number[] = [];
	readonly #judges = new Set<string>();
	readonly #undecided: string[] = [];
	/** Passed and all checks by name or kind. */
	readonly #checks = new Map<string, { passed: number; all: number }>();
	#tokens = 0;
	#cost = 0;
	#currency: string | undefined;

	add(result: CaseResult): void {
		const { name, row, rowHash, outcome, score, run, checks } = result;
		this.#cases.push({ name, ...(row !== undefined && { row, rowHash }), outcome });
		this.#byKey = undefined;
		for (const { judge, kind, name: title, named, passed } of checks) {
			if (judge) {
				this.#judges.add(`${judge.name} ${judge.key}`);
			}
			const counts = this.#checks.get(named ? title : kind) ?? { passed: 0, all: 0 };
			this.#checks.set(named ? title : kind, { passed: counts.passed + Number(passed), all: counts.all + 1 });
		}
		if (checks.some(({ undecided, weight }) => undecided && weight > 0)) {
			this.#undecided.push(createTitle(result));
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

	/** Outcomes by key: the name of a case. The key of a row doesn't change when other rows are added. */
	get outcomes(): ReadonlyMap<string, Outcome> {
		return this.#getByKey().outcomes;
	}

	/** Names to show, by key. */
	get titles(): ReadonlyMap<string, string> {
		return this.#getByKey().titles;
	}

	/** Cases with the same name. */
	get doubled(): readonly string[] {
		return this.#getByKey().doubled;
	}

	#getByKey(): OutcomesByKey {
		this.#byKey ??= createOutcomesByKey(this.#cases);
		return this.#byKey;
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
		return [...this.outcomes.values()].filter(each => each === outcome).length;
	}

	/** Names of the cases in an order that doesn't depend on the suite's. */
	get sortedKeys(): readonly string[] {
		return [...this.outcomes.keys()].sort();
	}
}

function createOutcomesByKey(cases: readonly CaseOutcome[]): OutcomesByKey {
	const names = new Map<string, number>();
	for (const { name } of cases) {
		names.set(name, (names.get(name) ?? 0) + 1);
	}
	const outcomes = new Map<string, Outcome>();
	const titles = new Map<string, string>();
	const counts = new Map<string, number>();
	const doubled: string[] = [];
	// in the order of rows, because those with the same values are numbered
	for (const each of cases.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0))) {
		const key = createKey(each, names.get(each.name) === 1);
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		if (count > 1 && each.row === undefined) {
			doubled.push(key);
		}
		const numbered = count > 1 && each.row !== undefined ? `${key}\0${count}` : key;
		outcomes.set(numbered, each.outcome);
		titles.set(numbered, createTitle(each));
	}
	return { outcomes, titles, doubled };
}

/** Returns the key of a case. It contains the number of a row only if nothing else is known about the row. */
function createKey(identity: CaseIdentity, hasOwnName: boolean): string {
	const { name, row, rowHash } = identity;
	const isNamed = row === undefined || (hasOwnName && !isUnnamedRow(identity));
	return isNamed ? name : `${isUnnamedRow(identity) ? '' : name}\0${rowHash ?? row}`;
}

function createTitle({ name, row }: CaseIdentity): string {
	return row === undefined || name === `row ${row}` ? name : `${name} (row ${row})`;
}

/** Hashes names, such as those of cases to find entries of a history with the same cases. */
export function hashKeys(keys: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(keys)).digest('hex').slice(0, 32);
}
