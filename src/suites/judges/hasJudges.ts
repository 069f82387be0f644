import type { Suite, SuiteCheck } from '../suite.ts';

/** True if a check of a suite is made by a judge. */
export function hasJudges({ cases, dataset }: Suite): boolean {
	const isJudge = ({ kind }: SuiteCheck) => kind === 'judge';
	return (
		dataset?.checks.some(isJudge) === true ||
		cases.some(({ checks, turns = [] }) => checks.some(isJudge) || turns.some(turn => turn.checks.some(isJudge)))
	);
}
