import { createHash } from 'node:crypto';
import { CaseIndex } from './caseIndex.ts';
import type { CaseResult, Outcome } from './caseResult.ts';
import { readResults } from './resultFile.ts';

/**
 * Difference between a result and the baseline. `better`, `worse`: the outcome differs, or the score if the outcome is the same; `changed`:
 * only outputs differ; `new`: the baseline has no such case; `judge`: another judge graded it, so outcomes can't be compared.
 */
export type Change = 'better' | 'worse' | 'changed' | 'same' | 'new' | 'judge';

interface Known {
	readonly outcome: Outcome;
	readonly score: number;
	readonly outputs: string;
	/** Keys of judges by name. */
	readonly judges: ReadonlyMap<string, string>;
	/** Position among the results of the file, from 0. */
	readonly at: number;
	asked: boolean;
}

const rank: Readonly<Record<Outcome, number>> = { passed: 2, failed: 1, 'not-run': 0 };

/** Results of an earlier batch to compare with. */
export class Baseline {
	readonly file: string;
	readonly #known: CaseIndex<Known>;

	private constructor(file: string, known: CaseIndex<Known>) {
		this.file = file;
		this.#known = known;
	}

	/** Reads a result file and keeps only what is compared. Rejects if the file can't be read. */
	static async readResultFile(file: string): Promise<Baseline> {
		const known = new CaseIndex<Known>();
		let at = 0;
		for await (const result of readResults(file)) {
			known.add(result, {
				outcome: result.outcome,
				score: result.score,
				outputs: hashOutputs(result),
				judges: listJudges(result),
				at: at++,
				asked: false,
			});
		}
		return new Baseline(file, known);
	}

	/** Compares a result with the baseline. */
	compareResult(result: CaseResult): Change {
		const known = this.#known.find(result);
		if (!known) {
			return 'new';
		}
		known.asked = true;
		if ([...listJudges(result)].some(([name, key]) => (known.judges.get(name) ?? key) !== key)) {
			return 'judge';
		}
		const better = rank[result.outcome] - rank[known.outcome] || compareScores(result.score, known.score);
		return better > 0 ? 'better' : better < 0 ? 'worse' : hashOutputs(result) === known.outputs ? 'same' : 'changed';
	}

	/** Reads the baseline's result of the same case; `undefined` if it has none. Rejects if the file can't be read. */
	async readResultOf(result: CaseResult): Promise<CaseResult | undefined> {
		const known = this.#known.find(result);
		let at = 0;
		for await (const each of known ? readResults(this.file) : []) {
			if (at++ === known?.at) {
				return each;
			}
		}
		return undefined;
	}

	/** Returns the names of baseline cases that {@link compareResult} wasn't called for. */
	listMissingCases(): readonly string[] {
		return this.#known.entries.filter(({ value }) => !value.asked).map(({ name }) => name);
	}
}

function listJudges({ checks }: CaseResult): ReadonlyMap<string, string> {
	// a baseline from elsewhere may have none
	return new Map((checks ?? []).flatMap(({ judge }) => (judge ? [[judge.name, judge.key] as const] : [])));
}

function hashOutputs({ outputs }: CaseResult): string {
	return createHash('sha1')
		.update(JSON.stringify(outputs) ?? '')
		.digest('base64');
}

/** Compares scores, ignoring rounding errors. */
function compareScores(a: number, b: number): number {
	return Math.abs(a - b) < 1e-9 ? 0 : a - b;
}
