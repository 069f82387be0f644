import type { Localization } from '#base/text/localization.ts';

/** Strings of the review page, translated by the host. The page fills in `{0}`. */
export function getReviewStrings({ t }: Localization) {
	return {
		title: t({ message: 'Review of {0}', comment: ['{0} is the name of a suite'] }),
		actions: t('Review actions'),
		progress: t({ message: 'Output {0} of {1}', comment: ['position, number of all outputs'] }),
		labeled: t({ message: '{0} labeled', comment: ['{0} is a number of outputs that have labels of a person'] }),
		by: t({ message: 'as {0}', comment: ['{0} is the name of the person whose labels are saved'] }),
		judgeAgain: t('Judge again'),
		judgeAgainHint: t('Let the judges of the suite grade the same outputs again, without running anything'),
		variantsHint: t("Results of variants can't be judged again"),
		judging: t({ message: 'Judging again: {0} done', comment: ['{0} is a number of outputs'] }),
		goToCase: t('Go to case'),
		rubric: t({ message: 'Rubric', comment: ['what a judge grades by'] }),
		inputs: t('Inputs'),
		output: t('Output'),
		judge: t({ message: 'Judge: {0}', comment: ['a model that grades outputs; {0} is its name'] }),
		hidden: t("The judge's decision appears once you have labeled the output."),
		labels: {
			pass: t({ message: 'Pass', comment: ['label of an output: it should pass'] }),
			fail: t({ message: 'Fail', comment: ['label of an output: it should fail'] }),
			skip: t({ message: 'Skip', comment: ['label of an output: the person cannot decide'] }),
		},
		yourLabel: t('Your label'),
		note: t('Note'),
		noteHint: t('Why? Judges with examples see your notes.'),
		previous: t('Previous'),
		next: t('Next'),
		agrees: t({ message: 'The judge agrees: {0}', comment: ['{0} is a score such as 0.8'] }),
		disagrees: t({ message: 'The judge disagrees: {0}', comment: ['{0} is a score such as 0.2'] }),
		decided: {
			passed: t({ message: 'The judge passed it: {0}', comment: ['{0} is a score such as 0.8'] }),
			failed: t({ message: 'The judge failed it: {0}', comment: ['{0} is a score such as 0.2'] }),
		},
		empty: t('This batch has no outputs that a judge graded.'),
		agreement: t('Agreement of the judges with people'),
		columns: {
			judge: t({ message: 'Judge', comment: ['a model that grades outputs'] }),
			half: t('Labels'),
			cases: t('Outputs'),
			accuracy: t({ message: 'Agree', comment: ['heading of a column: share of outputs on which judge and person agree'] }),
			kappa: t('Kappa (95 %)'),
			both: t('Both pass'),
			onlyFirst: t('Only person'),
			onlySecond: t('Only judge'),
			neither: t('Both fail'),
		},
		halves: {
			heldOut: t({ message: 'held-out', comment: ['half of the labels that judges get no examples from'] }),
			tuning: t({ message: 'tuning', comment: ['half of the labels that judges get examples from'] }),
			people: t('two people'),
		},
		range: t({ message: '{0} to {1}', comment: ['an interval, such as 35% to 65%'] }),
		noLabels: t('The agreement appears here with the first label.'),
	};
}

export type ReviewStrings = ReturnType<typeof getReviewStrings>;
