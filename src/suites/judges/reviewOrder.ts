import type { JudgedOutput } from './judgedOutputs.ts';
import type { JudgeLabels } from './judgeLabels.ts';

/** Distance of a score from the threshold of its judge within which a small change of the score changes the outcome. */
const nearThreshold = 0.15;

interface ReviewOptions {
	readonly labels: JudgeLabels;
	/** Name of the person who labels. */
	readonly by: string;
	/** Returns the threshold of a judge. */
	readonly getThreshold: (judge: string) => number;
}

/**
 * Orders outputs for a person: those without any label, those that only others have labeled, those whose judge disagrees with the person,
 * those near the threshold, the others, and last the skipped ones. Within these groups, the order is random, so that the first labels are a
 * fair sample, but the same each time. An output that several cases have is listed once.
 */
export function orderForReview(outputs: readonly JudgedOutput[], { labels, by, getThreshold }: ReviewOptions): readonly JudgedOutput[] {
	const different = [...new Map(outputs.map(each => [`${each.judge.name}\0${each.output}`, each])).values()];
	const getRank = ({ judge: { name }, output, passed, score }: JudgedOutput): number => {
		const own = labels.getOwnLabel(name, output, by);
		if (own === undefined) {
			return labels.getLabels(name, output).length === 0 ? 0 : 1;
		}
		const isNear = Math.abs(score - getThreshold(name)) <= nearThreshold;
		return own.label === 'skip' ? 5 : (own.label === 'pass') !== passed ? 2 : isNear ? 3 : 4;
	};
	const ranked = different.map(each => ({ each, rank: getRank(each) }));
	// hashes are as good as random numbers
	return ranked.sort((a, b) => a.rank - b.rank || (a.each.output < b.each.output ? -1 : 1)).map(({ each }) => each);
}
