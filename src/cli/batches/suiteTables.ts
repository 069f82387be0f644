import { summarizeAttacks } from '#suites/attacks/attackSummary.ts';
import { type JudgeSummary, summarizeJudges } from '#suites/judges/judgeAgreement.ts';
import { JudgeLabels } from '#suites/judges/judgeLabels.ts';
import { readResults } from '#suites/results/resultFile.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';
import type { Suite } from '#suites/suite.ts';
import { compareVariants } from '#suites/variants/compareVariants.ts';
import type { PreparedVariant } from '#suites/variants/prepareVariants.ts';
import { readAgentText } from '../reports/coverageReport.ts';
import type { SuiteReport } from '../reports/suiteReport.ts';

/** A finished batch. */
interface FinishedBatch {
	readonly suite: Suite;
	readonly resultFile: string;
	readonly variants: readonly PreparedVariant[] | undefined;
	readonly agents: SuiteService['agents'];
}

type TableReport = Pick<SuiteReport, 'onComparison' | 'onAttacks' | 'onJudges'>;

/** Reports the tables that sum up a batch. Resolves to the agreement of its judges. Rejects if the labels can't be read. */
export async function reportTables(batch: FinishedBatch, reports: readonly TableReport[]): Promise<readonly JudgeSummary[]> {
	const { suite, resultFile } = batch;
	const [comparison, attacks] = [await compareBatch(batch), await summarizeBatchAttacks(batch)];
	const judges = await summarizeJudges(readResults(resultFile), await JudgeLabels.readLabels(suite));
	for (const report of reports) {
		await (comparison && report.onComparison?.(comparison));
		await (attacks && report.onAttacks?.(attacks));
		await (judges.length > 0 && report.onJudges?.(judges));
	}
	return judges;
}

async function compareBatch({ suite, resultFile, variants }: FinishedBatch) {
	const { baseline } = suite.matrix ?? {};
	const names = variants?.map(({ name }) => name);
	return names && baseline !== undefined
		? compareVariants(readResults(resultFile), { names, baseline, seed: suite.fingerprint, cached: suite.cache })
		: undefined;
}

/** Returns the rates of the suite's attacks. Those of variants are in their comparison. */
async function summarizeBatchAttacks({ suite, resultFile, variants, agents = [] }: FinishedBatch) {
	const attacks = new Map(suite.cases.flatMap(({ ordinal, attack }) => (attack ? [[ordinal, attack] as const] : [])));
	return attacks.size === 0 || variants
		? undefined
		: summarizeAttacks(readResults(resultFile), attacks, name => readAgentText(agents, name));
}

/** Returns sentences about judges of a suite that agree with people less than it demands. */
export function findWeakJudges({ judges = {} }: Suite, summaries: readonly JudgeSummary[]): readonly string[] {
	return Object.entries(judges).flatMap(([name, { min_kappa: least }]) => {
		const kappa = summaries.find(each => each.name === name)?.heldOut.kappa?.value;
		return least === undefined || (kappa !== undefined && kappa >= least)
			? []
			: [
					kappa === undefined
						? `The judge '${name}' has no kappa, because the held-out half has too few labels. Expected at least ${least}.`
						: `The judge '${name}' agrees with people at a kappa of ${kappa.toFixed(2)}. Expected at least ${least}.`,
				];
	});
}
