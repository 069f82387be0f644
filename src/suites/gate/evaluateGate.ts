import { isMixedCurrency } from '#base/records/amount.ts';
import type { Outcome } from '../results/caseResult.ts';
import { computeSignFlipP } from '../statistics/pairedTests.ts';
import type { SuiteGate } from '../suite.ts';
import type { CaseOutcomes } from './caseOutcomes.ts';

/** Earlier results that a batch is compared with. */
export interface GateBaseline {
	/** Outcomes by case; absent if the cases have changed. */
	readonly outcomes?: ReadonlyMap<string, Outcome> | undefined;
	/** Names to show, by key of outcomes that the current batch lacks. */
	readonly titles?: ReadonlyMap<string, string>;
	/** Hash of the judges; absent without any, and in older histories. */
	readonly judges?: string | undefined;
	/** Number of cases that ran. */
	readonly ran: number;
	/** Cost of all cases, and its currency if known. */
	readonly cost: number;
	readonly currency?: string | undefined;
}

/** Level below which a loss counts as shown. */
const level = 0.05;
/** Maximum number of names in a sentence. */
const mostNames = 20;

/**
 * Returns sentences that say why a batch doesn't pass the gate of its suite; none if it passes. Used by the command line, whose messages are
 * English.
 *
 * @param baseline `undefined` if there is nothing to compare with yet
 * @param faults number of rows that couldn't be read
 */
export function evaluateGate(
	gate: SuiteGate,
	current: CaseOutcomes,
	baseline: GateBaseline | undefined,
	faults: number,
): readonly string[] {
	const { pass_rate: passRate, required = [], not_run: mostNotRun = 0, not_worse: notWorse, cost } = gate;
	const [passed, failed, notRun] = (['passed', 'failed', 'not-run'] as const).map(outcome => current.countOutcome(outcome)) as [
		number,
		number,
		number,
	];
	const rate = passed / (passed + failed || 1);
	const unmet = required.filter(name => current.outcomes.get(name) !== 'passed');
	const { doubled } = current;
	// earlier runs without prices have no costs to compare with
	const limit = baseline && baseline.cost > 0 && cost ? (baseline.cost / (baseline.ran || 1)) * (1 + cost.increase) : undefined;
	const [currency, other] = [current.currency, baseline?.currency];
	const isOtherCurrency =
		limit !== undefined && currency !== undefined && other !== undefined && (currency !== other || isMixedCurrency(currency));
	// cases that couldn't run cost nothing
	const mean = current.cost / (passed + failed || 1);
	return [
		...(passed + failed === 0 ? ['No test case ran, so nothing was tested.'] : []),
		...(passRate !== undefined && passed + failed > 0 && rate < passRate
			? [`pass_rate: ${formatShare(rate)} passed, expected at least ${formatShare(passRate)}.`]
			: []),
		...(unmet.length > 0 ? [`required: these didn't pass: ${formatNames(unmet)}.`] : []),
		...(notRun + faults > mostNotRun ? [`not_run: ${notRun + faults} couldn't run, expected at most ${mostNotRun}.`] : []),
		...(current.undecided.length > 0 ? [`These have checks that couldn't be evaluated: ${formatNames(current.undecided)}.`] : []),
		...(doubled.length > 0 ? [`These names are used twice: ${formatNames(doubled)}.`] : []),
		...(isOtherCurrency
			? [`cost: the costs are in ${currency} now and were in ${other}, so they can't be compared. Add the new results with --history.`]
			: []),
		...(!isOtherCurrency && limit !== undefined && mean > limit
			? [`cost: ${mean.toPrecision(3)} per case, expected at most ${limit.toPrecision(3)}.`]
			: []),
		...(notWorse && baseline ? findLosses(notWorse, current, baseline) : []),
	];
}

function findLosses(
	mode: 'strict' | 'significant',
	current: CaseOutcomes,
	{ outcomes: before, judges, titles }: GateBaseline,
): readonly string[] {
	if (judges !== undefined && current.judges !== undefined && judges !== current.judges) {
		return ["not_worse: a judge has changed, so outcomes can't be compared. Add the new results with --history."];
	}
	if (!before) {
		return ["not_worse: the test cases have changed, so they can't be compared. Add the new results with --history."];
	}
	const getTitle = (key: string) => current.titles.get(key) ?? titles?.get(key) ?? key;
	const lost = [...before]
		.filter(([key, outcome]) => outcome === 'passed' && current.outcomes.get(key) !== 'passed')
		.map(([key]) => getTitle(key));
	if (mode === 'strict') {
		return lost.length > 0 ? [`not_worse: these passed before: ${formatNames(lost)}.`] : [];
	}
	const missing = [...before.keys()].filter(key => !current.outcomes.has(key)).map(getTitle);
	const gained = [...before].filter(([key, outcome]) => outcome !== 'passed' && current.outcomes.get(key) === 'passed').length;
	const differences = [...lost.map(() => -1), ...Array.from({ length: gained }, () => 1)];
	// the distribution is symmetric, so one side has half of the chance
	const p = lost.length > gained ? computeSignFlipP(differences) / 2 : 1;
	return [
		...(missing.length > 0 ? [`not_worse: these are missing: ${formatNames(missing)}.`] : []),
		...(p < level ? [`not_worse: ${lost.length} lost and ${gained} gained (p = ${p.toFixed(4)}). Lost: ${formatNames(lost)}.`] : []),
	];
}

function formatNames(names: readonly string[]): string {
	const left = names.length - mostNames;
	return `${names.slice(0, mostNames).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

const formatShare = (share: number) => `${(share * 100).toFixed(1)} %`;
