import type { CaseResult } from '../results/caseResult.ts';
import { type Agreement, computeAgreement, countPairs, findBestThreshold } from '../statistics/agreement.ts';
import { type JudgedOutput, listJudgedOutputs } from './judgedOutputs.ts';
import { getLabelHalf, type JudgeLabels, type LabelHalf } from './judgeLabels.ts';

/** How far a judge agrees with people. */
export interface JudgeSummary {
	/** Name of the judge. */
	readonly name: string;
	/** Models and keys of the judges with this name among the results; usually one. */
	readonly models: readonly string[];
	readonly keys: readonly string[];
	/** Number of different outputs that it judged, and of those with a label. */
	readonly judged: number;
	readonly labeled: number;
	/** Agreement with people: the first is the person, the second the judge. Examples come from the tuning half only. */
	readonly heldOut: Agreement;
	readonly tuning: Agreement;
	/** The `atLeast` that agrees best in the tuning half, if it's better than the current one, and its kappa there. */
	readonly threshold?: { readonly threshold: number; readonly kappa: number };
	/** Agreement of two people on the same outputs, which no judge can be expected to exceed. */
	readonly people?: Agreement;
}

/** An output with its label and grade. */
interface LabeledOutput {
	readonly half: LabelHalf;
	readonly person: boolean;
	readonly judge: boolean;
	readonly score: number;
	/** True for inverted checks, whose threshold is a maximum. */
	readonly isInverted: boolean;
}

interface JudgedOutputs {
	readonly models: Set<string>;
	readonly keys: Set<string>;
	readonly outputs: Map<string, LabeledOutput | undefined>;
	readonly people: Map<string, readonly [boolean, boolean]>;
}

/** Compares the judges among the results with the labels. Judges without labels aren't listed. */
export async function summarizeJudges(results: AsyncIterable<CaseResult>, labels: JudgeLabels): Promise<readonly JudgeSummary[]> {
	const names = new Set(labels.judges);
	const outputs: JudgedOutput[] = [];
	// without labels, the results aren't read again
	for await (const result of names.size > 0 ? results : []) {
		outputs.push(...listJudgedOutputs(result, names));
	}
	return summarizeOutputs(outputs, labels);
}

/** Compares the judges of these outputs with the labels. Judges without labels aren't listed. */
export function summarizeOutputs(outputs: readonly JudgedOutput[], labels: JudgeLabels): readonly JudgeSummary[] {
	const judges = new Map<string, JudgedOutputs>(
		labels.judges.map(name => [name, { models: new Set<string>(), keys: new Set<string>(), outputs: new Map(), people: new Map() }]),
	);
	for (const { judge, output, passed, score } of outputs) {
		const known = judges.get(judge.name);
		if (!known) {
			continue;
		}
		const [label, second] = labels.getLabels(judge.name, output);
		known.models.add(judge.model);
		known.keys.add(judge.key);
		// the same output of two cases or variants is one opinion
		known.outputs.set(
			`${output} ${judge.key}`,
			label && {
				half: getLabelHalf(output),
				person: label.label === 'pass',
				judge: passed,
				score,
				isInverted: judge.inverted === true,
			},
		);
		if (label && second) {
			const [one, other] = label.by < second.by ? [label, second] : [second, label];
			known.people.set(output, [one.label === 'pass', other.label === 'pass']);
		}
	}
	return [...judges].filter(([, { outputs: some }]) => some.size > 0).map(([name, each]) => summarizeJudge(name, each));
}

function summarizeJudge(name: string, { models, keys, outputs, people }: JudgedOutputs): JudgeSummary {
	const labeled = [...outputs.values()].filter(each => each !== undefined);
	const tuning = labeled.filter(({ half }) => half === 'tuning');
	const summary = {
		name,
		models: [...models].sort(),
		keys: [...keys].sort(),
		judged: outputs.size,
		labeled: labeled.length,
		heldOut: compareOutputs(labeled.filter(({ half }) => half === 'held-out')),
		tuning: compareOutputs(tuning),
		...(people.size > 0 && { people: computeAgreement(countPairs(people.values())) }),
	};
	const best = tuning.some(({ isInverted }) => isInverted)
		? undefined
		: findBestThreshold(tuning.map(({ person, score }) => ({ passed: person, score })));
	const isBetter = best && best.kappa > (summary.tuning.kappa?.value ?? Number.NEGATIVE_INFINITY) + 1e-9;
	return { ...summary, ...(isBetter && { threshold: best }) };
}

function compareOutputs(outputs: readonly LabeledOutput[]): Agreement {
	return computeAgreement(countPairs(outputs.map(({ person, judge }) => [person, judge] as const)));
}
