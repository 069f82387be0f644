import { computeMedian } from './contest.ts';
import type { Limit, Measure, Round, Series } from './table.ts';

/** Result of one requirement. */
export interface Requirement {
	readonly name: string;
	readonly limit: Limit;
	/** Median, lowest and highest of the rounds. */
	readonly value: number;
	readonly lowest: number;
	readonly highest: number;
	readonly ok: boolean;
	/** True if rounds are on both sides of the limit. */
	readonly withinNoise: boolean;
	/** Used fraction of the limit; more than 1 is a miss. */
	readonly used: number;
}

/** Result of a line. */
export interface Verdict {
	readonly value: number;
	readonly limit: number;
	readonly unit: string;
	readonly ok: boolean;
	/** Sorted, with the requirement that is nearest to its limit first. */
	readonly requirements: readonly Requirement[];
}

/** Judges a line by the medians of its rounds. If it has several requirements, the one nearest to its limit decides. */
export function judgeLine({ limits, unit }: Pick<Measure, 'limits' | 'unit'>, { rounds }: Series): Verdict {
	const requirements = Object.entries(limits)
		.map(([name, limit]) =>
			judgeRequirement(
				name,
				limit,
				rounds.map(({ values }) => values[name] ?? Number.NaN),
			),
		)
		.sort((a, b) => b.used - a.used);
	const [nearest] = requirements;
	if (!nearest) {
		throw new Error("a line without a limit can't be judged");
	}
	const ok = requirements.every(each => each.ok);
	return requirements.length === 1
		? { value: nearest.value, limit: getLimitValue(nearest.limit), unit, ok, requirements }
		: { value: nearest.used, limit: 1, unit: '× of the limit', ok, requirements };
}

/** True if the rounds of a requirement are on both sides of its limit. */
export function isWithinNoise(limits: Measure['limits'], rounds: readonly Round[]): boolean {
	return judgeLine({ limits, unit: '' }, { rounds }).requirements.some(({ withinNoise }) => withinNoise);
}

function judgeRequirement(name: string, limit: Limit, values: readonly number[]): Requirement {
	const value = computeMedian(values);
	const isWithinLimit = (each: number) => ('most' in limit ? each <= limit.most : each >= limit.least);
	return {
		name,
		limit,
		value,
		lowest: Math.min(...values),
		highest: Math.max(...values),
		ok: isWithinLimit(value),
		withinNoise: new Set(values.map(isWithinLimit)).size === 2,
		used: 'least' in limit ? limit.least / value : limit.most === 0 ? 1 + value : value / limit.most,
	};
}

export function getLimitValue(limit: Limit): number {
	return 'most' in limit ? limit.most : limit.least;
}
