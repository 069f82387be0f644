import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import { readDatasetCases } from '#suites/datasets/datasetCases.ts';
import type { Suite } from '#suites/suite.ts';
import { VariantFault } from '#suites/variants/applyVariant.ts';
import { estimateMatrix } from '#suites/variants/estimateMatrix.ts';
import { type PreparedVariant, prepareVariants, type VariantService } from '#suites/variants/prepareVariants.ts';
import { CliFault } from '../cliFault.ts';
import { printLine, toPlainLine } from '../output.ts';
import { formatCost } from '../reports/amounts.ts';
import { createCaseFilter } from './caseFilter.ts';
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
		const estimate = await describeEstimate(suite, variants, runs, await files(suite));
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
	const isWanted = createCaseFilter(suite, filter) ?? (() => true);
	let count = suite.cases.filter(isWanted).length;
	for await (const row of readDatasetCases(suite)) {
		count += Number(isWanted(row));
	}
	return count;
}

/** Says what the variants are expected to use. */
async function describeEstimate(
	suite: Suite,
	variants: readonly PreparedVariant[],
	runs: number,
	files: readonly string[],
): Promise<string> {
	const names = variants.map(({ name }) => name);
	const estimate = await estimateMatrix(suite, names, runs, files);
	if (!estimate) {
		return "The cost isn't known, because there are no earlier results of this suite.";
	}
	const { earlierRuns, tokens, cost, currency } = estimate;
	const price = cost > 0 ? ` and ${formatCost(cost, currency)}` : '';
	return `Estimated from ${formatQuantity(earlierRuns, 'earlier run')}: ${formatQuantity(tokens, 'token')}${price}.`;
}
