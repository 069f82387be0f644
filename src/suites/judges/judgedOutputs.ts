import type { CaseResult, PinnedJudge } from '../results/caseResult.ts';
import { hashJudgedOutput } from './judgeLabels.ts';

/** An output that a judge graded. */
export interface JudgedOutput {
	/** Number of its result, and of the check in it. */
	readonly ordinal: number;
	readonly check: number;
	readonly judge: PinnedJudge;
	/** See {@link hashJudgedOutput}. */
	readonly output: string;
	readonly passed: boolean;
	readonly score: number;
}

/** Returns the outputs of a result that were graded by judges of these names, or by any judge. */
export function listJudgedOutputs(result: CaseResult, names?: ReadonlySet<string>): readonly JudgedOutput[] {
	return result.checks.flatMap((check, at) => {
		const { judge, passed, score } = check;
		return judge && (names?.has(judge.name) ?? true)
			? [{ ordinal: result.ordinal, check: at, judge, output: hashJudgedOutput(result, check), passed, score }]
			: [];
	});
}
