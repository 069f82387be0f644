import type { Outcome } from '#suites/results/caseResult.ts';

const icons: Readonly<Record<Outcome, string>> = { passed: 'pass', failed: 'error', 'not-run': 'circle-slash' };

/** Returns the CSS classes of an outcome's icon. */
export function getOutcomeIcon(outcome: Outcome): string {
	return `outcomeIcon ${outcome} codicon codicon-${icons[outcome]}`;
}
