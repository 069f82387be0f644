import { formatQuantity } from '#base/text/quantity.ts';
import type { JudgeSummary } from '#suites/judges/judgeAgreement.ts';
import type { Agreement } from '#suites/statistics/agreement.ts';
import { toPlainLine } from '../output.ts';
import { alignRows } from './attackCells.ts';

const titles = [
	'judge',
	'labels',
	'n',
	'agree',
	'kappa (95 %)',
	'both pass',
	'only person',
	'only judge',
	'both fail',
	'fails found',
	'fails right',
];

/** Returns the rows of a table of judges with their agreement and confusion tables, with the titles first. */
export function createJudgeRows(judges: readonly JudgeSummary[]): readonly (readonly string[])[] {
	return [
		titles,
		...judges.flatMap(({ name, heldOut, tuning, people }) => [
			createRow(name, 'held-out', heldOut),
			createRow(name, 'tuning', tuning),
			...(people ? [createRow(name, 'two people', people)] : []),
		]),
	];
}

function createRow(
	name: string,
	labels: string,
	{ cases, accuracy, kappa, counts, failRecall, failPrecision }: Agreement,
): readonly string[] {
	const { both, onlyFirst, onlySecond, neither } = counts;
	const range = kappa && `${kappa.value.toFixed(2)} (${kappa.interval.low.toFixed(2)} to ${kappa.interval.high.toFixed(2)})`;
	return [
		name,
		labels,
		String(cases),
		cases === 0 ? '-' : formatShare(accuracy),
		range ?? '-',
		...[both, onlyFirst, onlySecond, neither].map(String),
		formatShare(failRecall),
		formatShare(failPrecision),
	];
}

/** Returns sentences about the judges: which ones they are, how many outputs have labels, and a better threshold. */
export function describeJudges(judges: readonly JudgeSummary[]): readonly string[] {
	return judges.flatMap(({ name, models, keys, judged, labeled, threshold, tuning }) => [
		`${name}: ${labeled} of ${formatQuantity(judged, 'output')} labeled. Judged by ${models.join(', ')} (key ${keys.map(key => key.slice(0, 8)).join(', ')})`,
		...(threshold
			? [
					`${name}: "atLeast": ${threshold.threshold} agrees better in the tuning half (kappa ${threshold.kappa.toFixed(2)}${tuning.kappa ? ` instead of ${tuning.kappa.value.toFixed(2)}` : ''})`,
				]
			: []),
	]);
}

/** Formats the judges as an aligned table for a terminal. */
export function formatJudges(judges: readonly JudgeSummary[]): string {
	return [...alignRows(createJudgeRows(judges)), ...describeJudges(judges).map(toPlainLine)].map(line => `  ${line}\n`).join('');
}

const formatShare = (share: number | undefined) => (share === undefined ? '-' : `${(share * 100).toFixed(1)} %`);
