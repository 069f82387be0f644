import type { Localization } from '#base/text/localization.ts';

/** Strings of the trend on the results page. */
export function getTrendStrings({ t }: Localization) {
	return {
		view: t({ message: 'View', comment: ['noun: which view of the results is shown'] }),
		views: { results: t('Results'), trend: t({ message: 'Trend', comment: ['how the results of a suite changed over time'] }) },
		charts: t('Charts of the metrics'),
		entries: t('History entries'),
		variant: t('Variant'),
		noVariant: t({ message: 'No variant', comment: ['choice: results of runs that did not compare variants'] }),
		add: t('Add to history'),
		addHint: t({ message: 'Add the numbers of the selected batch to {0}', comment: ['{0} is the name of a file'] }),
		added: t('The selected batch is in the history already'),
		notWhole: t('Only batches in which all test cases ran can be added to the history'),
		empty: t('This suite has no history yet. It starts once you add a batch to it here, or run {0}.'),
		count: { one: t('1 entry'), many: t('{0} entries') },
		cut: t({ message: 'The last {0} of {1} entries', comment: ['numbers of entries in a history file'] }),
		damaged: {
			one: t({ message: "1 line of {1} can't be read", comment: ['{1} is the name of a file'] }),
			many: t({ message: "{0} lines of {1} can't be read", comment: ['{0} is a number, {1} the name of a file'] }),
		},
		future: {
			one: t('1 entry has a date in the future'),
			many: t('{0} entries have a date in the future'),
		},
		notStored: t("The results of this entry aren't stored in this workspace."),
		metrics: {
			passed: t('Pass rate'),
			score: t('Mean score'),
			p50: t({ message: 'Duration (p50)', comment: ['p50 is the median'] }),
			p95: t({ message: 'Duration (p95)', comment: ['p95 is the 95th percentile'] }),
			tokens: t('Tokens per case'),
			cost: t('Cost per case'),
		},
		check: t({ message: 'Check: {0}', comment: ['share of passed checks; {0} is the name of a check'] }),
		points: t({ message: '{0} pp', comment: ['percentage points: {0} is a difference such as +2.5'] }),
		changeHint: t('Change from the first to the latest entry'),
		rangeHint: t('Lowest and highest value'),
		valueHint: { latest: t('Value of the latest entry'), selected: t('Value of the selected entry') },
		chart: t({
			message: '{0}: {1} at first, {2} now, lowest {3}, highest {4}',
			comment: ['{0} is the name of a metric, the others are values of it'],
		}),
		noValue: t({ message: 'no value', comment: ['an entry has no value for a metric'] }),
		columns: {
			date: t('Date'),
			commit: t('Commit'),
			cases: t('Cases'),
			note: t('Comparable'),
			stored: t('Results'),
		},
		interval: t({ message: '95 % interval: {0}', comment: ['{0} is an interval, such as 35% to 65%'] }),
		stored: t({ message: 'Stored', comment: ['the results of an entry are stored and can be opened'] }),
		breaks: {
			cases: t({ message: 'Cases changed', comment: ["test cases changed, so that earlier results can't be compared"] }),
			judges: t({ message: 'Judges changed', comment: ["models that grade outputs changed, so that earlier results can't be compared"] }),
		},
		breakHints: {
			cases: t("The test cases changed, so earlier results aren't comparable."),
			judges: t("The judges changed, so earlier results aren't comparable."),
		},
		inFuture: t('Date in the future'),
	};
}
