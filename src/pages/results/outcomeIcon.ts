import type { Outcome } from '#suites/results/caseResult.ts';

const icons: Readonly<Record<Outcome, string>> = { passed: 'pass', failed: 'error', 'not-run': 'circle-slash' };

/** Classes of the icon of an outcome. */
export function outcomeIcon(outcome: Outcome): string {
	return `outcomeIcon ${outcome} codicon codicon-${icons[outcome]}`;
}
