import type { CaseResult, CheckResult } from './caseResult.ts';

/** Returns the outcome and score of a case that ran, from its checks. Those with weight 0 don't count. */
export function scoreChecks(checks: readonly CheckResult[]): Pick<CaseResult, 'outcome' | 'score'> {
	const weights = checks.reduce((sum, { weight }) => sum + weight, 0);
	const passed = checks.every(check => check.passed || check.weight === 0);
	return {
		outcome: passed ? 'passed' : 'failed',
		score: weights === 0 ? Number(passed) : checks.reduce((sum, { score, weight }) => sum + score * weight, 0) / weights,
	};
}
