import { getDurationStrings } from '#base/text/duration.ts';
import type { Localization } from '#base/text/localization.ts';
import { getStatusLabel } from '#runs/events/statusLabel.ts';
import { getSpanKindLabel } from '#runs/logs/logSpan.ts';
import { getTableStrings } from '../shared/table/tableStrings.ts';
import { callsRanges, usageRanges } from './usageMessages.ts';

/** Strings of the request log and usage page, translated by the host. The page fills in `{0}`. */
export function getUsageStrings(l10n: Localization) {
	const { t } = l10n;
	return {
		durations: getDurationStrings(l10n),
		...getTableStrings(l10n),
		views: { calls: t('Request log'), usage: t('Usage') },
		view: t('View'),
		refresh: t('Refresh'),
		clearCache: t('Clear model cache'),
		cache: t({ message: 'Cached replies: {0} ({1})', comment: ['number of replies, their size'] }),
		filters: t('Filters'),
		anyStatus: t('Any status'),
		statuses: { succeeded: getStatusLabel(l10n, 'succeeded'), failed: getStatusLabel(l10n, 'failed') },
		status: t('Status'),
		time: t('Time'),
		name: t('Name'),
		error: t('Error'),
		allTokens: t('Tokens'),
		text: t('Search'),
		model: t('Model'),
		agent: t('Agent'),
		noAgent: t('No agent'),
		route: t('Route'),
		user: t('User'),
		endpoint: t('Endpoint'),
		node: t('Agent node'),
		calls: t('Calls'),
		failed: t('Failed'),
		hits: t('From cache'),
		input: t('Input tokens'),
		cached: t('Cached input tokens'),
		output: t('Output tokens'),
		duration: t('Duration'),
		tries: t({ message: '{0} attempts', comment: ['{0} is the number of times a request was sent'] }),
		hit: t('from cache'),
		cost: t('Cost'),
		range: t('Range'),
		callsRanges: [
			...callsRanges.map(range => ({ range, text: getSpanKindLabel(l10n, range) })),
			{ range: 'any' as const, text: t('Any time') },
		],
		ranges: usageRanges.map(days => ({ days, text: t('Last {0} days', days) })),
		byDay: t('By day'),
		byModel: t('By model'),
		byAgent: t('By agent'),
		total: t('Total'),
		noPrice: t("No costs available. Add a 'price' to your routes in the setting 'agentWorkbench.gateway.routes'."),
		noUsage: t('No model calls in this period.'),
		noCalls: t('No model calls match.'),
		callsHint: t('Calls through the built-in gateway. Chats with other connections call them directly.'),
		count: t('{0} calls'),
		one: t('1 call'),
		more: t('Load more'),
		loading: t('Loading…'),
		request: t('Request'),
		reply: t('Reply'),
		noBodies: t("Requests and replies are saved only if 'bodies' is on in the setting 'agentWorkbench.gateway.requestLog'."),
		inspect: t('Inspect run'),
		close: t('Close'),
	};
}
export type UsageStrings = ReturnType<typeof getUsageStrings>;
