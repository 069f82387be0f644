import { hitConditionPattern } from '#contract/debugLimits.ts';

/** True if a breakpoint stops at this hit count. */
export type HitCondition = (hits: number) => boolean;

/**
 * Parses a hit condition. A plain number stops at that hit and all later ones. Others are `== 3`, `> 3`, `>= 3`, `< 3`, `<= 3` and `% 2`.
 * Returns undefined if it's invalid.
 */
export function parseHitCondition(text: string): HitCondition | undefined {
	const [, operator = '>=', digits] = hitConditionPattern.exec(text) ?? [];
	if (digits === undefined) {
		return undefined;
	}
	const count = Number(digits);
	switch (operator) {
		case '>':
			return hits => hits > count;
		case '<':
			return hits => hits < count;
		case '<=':
			return hits => hits <= count;
		case '%':
			return hits => count > 0 && hits % count === 0;
		case '>=':
			return hits => hits >= count;
		default:
			return hits => hits === count;
	}
}
