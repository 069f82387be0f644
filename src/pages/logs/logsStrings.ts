import { durationStrings } from '#base/text/duration.ts';
import type { Localization } from '#base/text/localization.ts';
import { logStatuses } from '#contract/workflows.ts';
import { statusLabel } from '#runs/events/statusLabel.ts';
import { logSpanKinds, spanKindLabel } from '#runs/logs/logSpan.ts';

/** The words of the logs page, translated by the host. `{0}` is filled in by the page. */
export function logsStrings(l10n: Localization) {
	const { t } = l10n;
	const statuses = [...logStatuses, 'starting', 'running', 'stopping', 'partial-succeeded'];
	return {
		title: t('Logs of {0}'),
		filters: t('Filters'),
		range: t('Range'),
		ranges: {
			any: t('Any time'),
			...Object.fromEntries(logSpanKinds.map(kind => [kind, spanKindLabel(l10n, kind)])),
		} as Readonly<Record<string, string>>,
		from: t('First day'),
		to: t('Last day'),
		status: t('Status'),
		anyStatus: t('Any status'),
		filterStatuses: logStatuses.map(status => ({ status, text: statusLabel(l10n, status) })),
		statuses: Object.fromEntries(statuses.map(status => [status, statusLabel(l10n, status)])) as Readonly<Record<string, string>>,
		text: t('Text'),
		textHint: t('In inputs, outputs, errors, or a run ID'),
		textHintNoErrors: t('In inputs and outputs, or a run ID: this service searches no errors'),
		user: t('User'),
		minSeconds: t('At least seconds'),
		minTokens: t('At least tokens'),
		clear: t('Clear filters'),
		actions: t('Actions on these logs'),
		inspect: t('Inspect'),
		runAgain: t('Run again here'),
		compare: t('Compare'),
		compareHint: t('Compare the two runs that are selected (Ctrl+click, or Space)'),
		export: t('Export CSV'),
		exportHint: t('Write the {0} runs that are listed to a CSV file, with their inputs and outputs'),
		refresh: t('Refresh'),
		live: t('Live: take up new runs as they come'),
		time: t('Time'),
		agent: t('Agent'),
		duration: t('Duration'),
		tokens: t('Tokens'),
		inputs: t('Inputs'),
		outcome: t('Outputs or error'),
		list: t('Runs'),
		count: t('{0} runs'),
		countOne: t('1 run'),
		ofTotal: t('{0} of {1} loaded'),
		ofLoaded: t('{0} of {1} loaded'),
		partial: t('Filtered or sorted here, among what is loaded'),
		loadMore: t('Load more'),
		loading: t('Loading…'),
		cancel: t('Cancel'),
		retry: t('Retry'),
		empty: t('The service has logged no run yet. Run a run file, or the agent from its file, and refresh.'),
		noMatch: t('No run matches.'),
		noMatchLoaded: t('None of the {0} runs that are loaded matches.'),
		anyTime: t('Look at any time'),
		wrongDates: t('Choose the first day, and the last one where it is another.'),
		histogram: t('Runs over time'),
		histogramLoaded: t('Runs over time, of what is loaded'),
		bar: t('{0}: {1} succeeded, {2} failed, {3} other'),
		...durationStrings(l10n),
	};
}

export type LogsStrings = ReturnType<typeof logsStrings>;
