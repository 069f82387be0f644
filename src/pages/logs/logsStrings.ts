import { getDurationStrings } from '#base/text/duration.ts';
import type { Localization } from '#base/text/localization.ts';
import { logStatuses } from '#contract/workflows.ts';
import { getStatusLabel } from '#runs/events/statusLabel.ts';
import { getSpanKindLabel, logSpanKinds } from '#runs/logs/logSpan.ts';
import { getTableStrings } from '../shared/table/tableStrings.ts';

/** Strings of the logs page, translated by the host. The page fills in `{0}`. */
export function getLogsStrings(l10n: Localization) {
	const { t } = l10n;
	const statuses = [...logStatuses, 'starting', 'running', 'stopping', 'partial-succeeded'];
	return {
		title: t({ message: 'Logs of {0}', comment: ['{0} is the name of an agent or a connection'] }),
		filters: t('Filters'),
		range: t('Range'),
		ranges: {
			any: t('Any time'),
			...Object.fromEntries(logSpanKinds.map(kind => [kind, getSpanKindLabel(l10n, kind)])),
		} as Readonly<Record<string, string>>,
		from: t('Start date'),
		to: t('End date'),
		status: t('Status'),
		anyStatus: t('Any status'),
		filterStatuses: logStatuses.map(status => ({ status, text: getStatusLabel(l10n, status) })),
		statuses: Object.fromEntries(statuses.map(status => [status, getStatusLabel(l10n, status)])) as Readonly<Record<string, string>>,
		text: t('Text'),
		textHint: t('Search inputs, outputs and errors, or enter a run ID'),
		textHintNoErrors: t("Search inputs and outputs, or enter a run ID. This service can't search errors."),
		user: t('User'),
		minSeconds: t('Minimum seconds'),
		minTokens: t('Minimum tokens'),
		clear: t('Clear filters'),
		actions: t('Log actions'),
		inspect: t('Inspect'),
		runAgain: t({ message: 'Run again here', comment: ['button: runs the agent again in this window; the run was started elsewhere'] }),
		compare: t('Compare'),
		compareHint: t('Compare the two selected runs (select with Ctrl+click or Space)'),
		export: t('Export CSV'),
		exportHint: t({
			message: 'Export the listed runs ({0}) with inputs and outputs to a CSV file',
			comment: ['{0} is the number of runs'],
		}),
		refresh: t('Refresh'),
		live: t('Live: add new runs as they appear'),
		time: t('Time'),
		agent: t('Agent'),
		duration: t('Duration'),
		tokens: t('Tokens'),
		inputs: t('Inputs'),
		outcome: t('Outputs or error'),
		list: t('Runs'),
		count: t('{0} runs'),
		countOne: t('1 run'),
		ofTotal: t({ message: '{0} of {1} loaded', comment: ['number of loaded runs, number of all'] }),
		ofLoaded: t({ message: '{0} matching, {1} loaded', comment: ['number of matching runs, number of loaded runs'] }),
		partial: t('Only loaded runs are filtered and sorted'),
		loadMore: t('Load more'),
		loading: t('Loading…'),
		cancel: t('Cancel'),
		retry: t('Retry'),
		empty: t('No runs logged yet. Run a run file or an agent file, then refresh.'),
		drafts: t("Runs of drafts aren't logged. They're under 'Runs' in the Agents view."),
		noMatch: t('No runs match.'),
		noMatchLoaded: t('None of the {0} loaded runs match.'),
		anyTime: t('Clear date range'),
		wrongDates: t("Select a start date, and an end date if it's different."),
		histogram: t('Runs over time'),
		histogramLoaded: t('Runs over time (loaded runs only)'),
		bar: t({ message: '{0}: {1} succeeded, {2} failed, {3} other', comment: ['{0} is a time or a range of times'] }),
		...getTableStrings(l10n),
		...getDurationStrings(l10n),
	};
}

export type LogsStrings = ReturnType<typeof getLogsStrings>;
