import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import { readDatasetCases } from '#suites/datasets/datasetCases.ts';
import { readResultLines } from '#suites/results/resultFile.ts';
import type { Suite } from '#suites/suite.ts';
import { VariantFault } from '#suites/variants/applyVariant.ts';
import { type PreparedVariant, prepareVariants, type VariantService } from '#suites/variants/prepareVariants.ts';
import { CliFault } from '../cliFault.ts';
import { printLine, toPlainLine } from '../output.ts';
import { formatCost } from '../reports/amounts.ts';
import type { BatchOptions } from './runBatches.ts';

/** The variants of suites, by suite. */
export type Matrices = ReadonlyMap<Suite, readonly PreparedVariant[]>;

/** Reads the texts of all variants. Rejects with a {@link CliFault} if a variant can't be made, or if no suite has variants. */
export async function prepareMatrices(suites: readonly Suite[], service: VariantService): Promise<Matrices> {
	const matrices = new Map<Suite, readonly PreparedVariant[]>();
	for (const suite of suites.filter(({ matrix }) => matrix)) {
		try {
			matrices.set(suite, await prepareVariants(suite, service, fillPlaceholders));
		} catch (error) {
			throw error instanceof VariantFault ? new CliFault(`${path.relative('', suite.file)}: ${error.message}`) : error;
		}
	}
	if (matrices.size === 0 && suites.length > 0) {
		throw new CliFault("--matrix: none of the suites has 'matrix' or 'variants'.");
	}
	return matrices;
}

/**
 * Shows how much the matrices will run and cost, as far as earlier results say, and asks whether to start them. Rejects with a
 * {@link CliFault} without a terminal, or if the answer isn't yes.
 *
 * @param files earlier results, the most relevant ones first
 */
export async function confirmMatrices(
	matrices: Matrices,
	options: BatchOptions,
	files: (suite: Suite) => Promise<readonly string[]>,
	signal: AbortSignal,
): Promise<void> {
	for (const [suite, variants] of matrices) {
		const cases = await countCases(suite, options.filter);
		const runs = cases * (options.repeat ?? suite.repeat);
		const estimate = await estimateCost(suite, variants, runs, await files(suite));
		printLine(
			`${toPlainLine(suite.name)}: ${formatQuantity(cases, 'case')} in ${variants.length} variants, up to ${formatQuantity(runs * variants.length, 'run')}. ${estimate}`,
		);
	}
	if (options.yes) {
		return;
	}
	if (!process.stdin.isTTY || !process.stderr.isTTY) {
		throw new CliFault('--matrix: add --yes to start without being asked.');
	}
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const ended = new AbortController();
	terminal.once('close', () => ended.abort());
	terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
	const answer = await terminal.question('Start? (y/N) ', { signal: AbortSignal.any([signal, ended.signal]) }).catch(() => '');
	terminal.close();
	if (!/^y(es)?$/i.test(answer.trim())) {
		throw new CliFault('--matrix: nothing was started.');
	}
}

async function countCases(suite: Suite, filter: string | undefined): Promise<number> {
	const wanted = filter?.toLowerCase();
	const isWanted = ({ name }: { readonly name: string }) =>
		wanted === undefined || suite.name.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted);
	let count = suite.cases.filter(isWanted).length;
	for await (const row of readDatasetCases(suite)) {
		count += Number(isWanted(row));
	}
	return count;
}

/** Estimates from earlier runs of the suite: of the same variant if there are any, or else of all. */
async function estimateCost(suite: Suite, variants: readonly PreparedVariant[], runs: number, files: readonly string[]): Promise<string> {
	for (const file of files) {
		const sums = await sumEarlierRuns(suite, file);
		const all = sums.get('');
		if (all) {
			const expected = variants.map(({ name }) => sums.get(name) ?? all);
			const tokens = expected.reduce((sum, each) => sum + (each.tokens / each.runs) * runs, 0);
			const cost = expected.reduce((sum, each) => sum + (each.cost / each.runs) * runs, 0);
			const price = cost > 0 ? ` and ${formatCost(cost, all.currency)}` : '';
			return `Estimated from ${formatQuantity(all.runs, 'earlier run')}: ${formatQuantity(Math.round(tokens), 'token')}${price}.`;
		}
	}
	return "The cost isn't known, because there are no earlier results of this suite.";
}

interface RunSum {
	runs: number;
	tokens: number;
	cost: number;
	currency?: string | undefined;
}

/** Adds up the runs of a suite in a result file by variant, and all of them under an empty name. A file that can't be read has none. */
async function sumEarlierRuns(suite: Suite, file: string): Promise<ReadonlyMap<string, RunSum>> {
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
					sum.tokens += run.tokens;
					sum.cost += run.cost ?? 0;
					sum.currency ??= run.currency;
					sums.set(name, sum);
				}
			}
		}
	} catch {
		// --baseline reports the error
	}
	return sums;
}
