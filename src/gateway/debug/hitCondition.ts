import { hitConditionPattern } from '#contract/debugLimits.ts';

/** Whether a breakpoint that was hit so often stops. */
export type HitCondition = (hits: number) => boolean;

/**
 * Reads a hit condition: a number stops that time and all later ones, `== 3`, `> 3`, `>= 3`, `< 3`, `<= 3` and `% 2` as they say.
 * @returns undefined where it is none of these
 */
export function hitCondition(text: string): HitCondition | undefined {
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
