import { createHash } from 'node:crypto';
import type { CaseResult, Outcome } from './caseResult.ts';
import { readResults } from './resultFile.ts';

/**
 * How a result differs from that of the baseline. `better`, `worse`: its outcome, else its score; `changed`: its outputs alone; `new`: the baseline has no
 * case of this name.
 */
export type Change = 'better' | 'worse' | 'changed' | 'same' | 'new';

interface Known {
	readonly outcome: Outcome;
	readonly score: number;
	readonly outputs: string;
	asked: boolean;
}

const rank: Readonly<Record<Outcome, number>> = { passed: 2, failed: 1, 'not-run': 0 };

/** Results of an earlier batch that others are compared with, found by the names of their cases; of cases of one name, in their order. */
export class Baseline {
	readonly file: string;
	readonly #known: ReadonlyMap<string, Known>;

	private constructor(file: string, known: ReadonlyMap<string, Known>) {
		this.file = file;
		this.#known = known;
	}

	/** Reads a result file; keeps of each result no more than is compared. Rejects for a file that cannot be read. */
	static async read(file: string): Promise<Baseline> {
		const known = new Map<string, Known>();
		for await (const result of readResults(file)) {
			known.set(keyOf(result), { outcome: result.outcome, score: result.score, outputs: digestOf(result), asked: false });
		}
		return new Baseline(file, known);
	}

	/** How a result differs from its own in the baseline. */
	changeOf(result: CaseResult): Change {
		const known = this.#known.get(keyOf(result));
		if (!known) {
			return 'new';
		}
		known.asked = true;
		const better = rank[result.outcome] - rank[known.outcome] || roundedDifference(result.score, known.score);
		return better > 0 ? 'better' : better < 0 ? 'worse' : digestOf(result) === known.outputs ? 'same' : 'changed';
	}

	/** Names of the baseline's cases that {@link changeOf} was not asked about. */
	missing(): readonly string[] {
		return [...this.#known].filter(([, { asked }]) => !asked).map(([key]) => key.slice(0, key.lastIndexOf('\0')));
	}
}

// rows may share a name: their number tells them apart
function keyOf({ name, row }: CaseResult): string {
	return `${name}\0${row ?? ''}`;
}

function digestOf({ outputs }: CaseResult): string {
	return createHash('sha1')
		.update(JSON.stringify(outputs) ?? '')
		.digest('base64');
}

/** Differences of sums in another order are none. */
function roundedDifference(a: number, b: number): number {
	return Math.abs(a - b) < 1e-9 ? 0 : a - b;
}
