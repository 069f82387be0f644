import type { CaseResult } from './caseResult.ts';

/**
 * How a result differs from that of the baseline. `better`, `worse`: its outcome, else its score; `changed`: its outputs alone; `new`: the baseline has no
 * case of this name.
 */
export type Change = 'better' | 'worse' | 'changed' | 'same' | 'new';

/** Results of an earlier batch that others are compared with, found by the names of their cases. */
export interface Baseline {
	readonly file: string;
	/** How a result differs from its own in the baseline. */
	changeOf(result: CaseResult): Change;
	/** Names of the baseline's cases that {@link changeOf} was not asked about. */
	missing(): readonly string[];
}

/** Reads a result file as a baseline. Rejects for a file that cannot be read. */
export async function readBaseline(file: string): Promise<Baseline> {
	throw new Error(`not written yet: ${file}`);
}
