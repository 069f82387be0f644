import path from 'node:path';
import { joinCurrencies } from '#base/records/amount.ts';
import { readResultLines } from '../results/resultFile.ts';
import { averageRunAmounts } from '../results/resultSum.ts';
import type { Suite } from '../suite.ts';

/** Expected use of a matrix. */
interface MatrixEstimate {
	/** Number of earlier runs that the estimate is made from. */
	readonly earlierRuns: number;
	readonly tokens: number;
	/** 0 if earlier runs had no price. */
	readonly cost: number;
	readonly currency?: string | undefined;
}

/**
 * Estimates what a matrix uses from earlier runs of the suite: of the same variant if there are any, or else of all. `undefined` without
 * earlier runs.
 *
 * @param names of the variants
 * @param runs per variant
 * @param files earlier results, the most relevant ones first
 */
export async function estimateMatrix(
	suite: Pick<Suite, 'file'>,
	names: readonly string[],
	runs: number,
	files: readonly string[],
): Promise<MatrixEstimate | undefined> {
	for (const file of files) {
		const sums = await sumEarlierRuns(suite, file);
		const all = sums.get('');
		if (all) {
			const expected = names.map(name => sums.get(name) ?? all);
			return {
				earlierRuns: all.runs,
				tokens: Math.round(expected.reduce((sum, each) => sum + (each.tokens / each.runs) * runs, 0)),
				cost: expected.reduce((sum, each) => sum + (each.cost / each.runs) * runs, 0),
				currency: all.currency,
			};
		}
	}
	return undefined;
}

interface RunSum {
	runs: number;
	tokens: number;
	cost: number;
	currency?: string | undefined;
}

/** Adds up the runs of a suite in a result file by variant, and all of them under an empty name. A file that can't be read has none. */
async function sumEarlierRuns(suite: Pick<Suite, 'file'>, file: string): Promise<ReadonlyMap<string, RunSum>> {
	const sums = new Map<string, RunSum>();
	let isOwn = false;
	try {
		for await (const line of readResultLines(file)) {
			if ('head' in line) {
				isOwn = path.basename(line.head.suite.replaceAll('\\', '/')) === path.basename(suite.file);
			} else if (isOwn && 'result' in line && line.result.run) {
				const { run, variant } = line.result;
				for (const name of variant === undefined ? [''] : ['', variant]) {
					const sum = sums.get(name) ?? { runs: 0, tokens: 0, cost: 0 };
					sum.runs++;
					const { tokens, cost = 0 } = averageRunAmounts(line.result, run);
					sum.tokens += tokens;
					sum.cost += cost;
					sum.currency = joinCurrencies(sum.currency, run.currency);
					sums.set(name, sum);
				}
			}
		}
	} catch {
		// the estimate is only a help
	}
	return sums;
}
