import { durationStrings } from '#base/text/duration.ts';
import type { Localization } from '#base/text/localization.ts';
import { getStatusLabel } from '#runs/events/statusLabel.ts';
import { usageRanges } from './usageMessages.ts';

/** The words of the request log and the usage, translated by the host. `{0}` is filled in by the page. */
export function getUsageStrings(l10n: Localization) {
	const { t } = l10n;
	return {
		durations: durationStrings(l10n),
		views: { calls: t('Request log'), usage: t('Usage') },
		view: t('View'),
		refresh: t('Refresh'),
		clearCache: t('Clear Model Cache'),
		cache: t('{0} replies in the cache, {1}'),
		filters: t('Filters'),
		anyStatus: t('Any status'),
		statuses: { succeeded: getStatusLabel(l10n, 'succeeded'), failed: getStatusLabel(l10n, 'failed') },
		status: t('Status'),
		time: t('Time'),
		day: t('Day'),
		model: t('Model'),
		agent: t('Agent'),
		noAgent: t('No agent'),
		route: t('Route'),
		user: t('User'),
		endpoint: t('Endpoint'),
		node: t('Node of an agent'),
		calls: t('Calls'),
		failed: t('Failed'),
		hits: t('From the cache'),
		input: t('Input tokens'),
		cached: t('Of them cached'),
		output: t('Output tokens'),
		duration: t('Duration'),
		tries: t('{0} tries'),
		hit: t('from the cache'),
		cost: t('Cost'),
		range: t('Range'),
		ranges: usageRanges.map(days => ({ days, text: l10n.t('Last {0} days', days) })),
		byDay: t('By day'),
		byModel: t('By model'),
		byAgent: t('By agent'),
		total: t('Total'),
		noPrice: t('No price is known: give routes a “price” in the setting agentWorkbench.gateway.routes.'),
		noUsage: t('Nothing was asked of a model in this time.'),
		noCalls: t('No call matches.'),
		count: t('{0} calls'),
		one: t('1 call'),
		more: t('Load more'),
		loading: t('Loading…'),
		request: t('Request'),
		reply: t('Reply'),
		noBodies: t('Requests and replies are kept where the setting agentWorkbench.gateway.requestLog has “bodies”.'),
		inspect: t('Inspect the run'),
		close: t('Close'),
	};
}
export type UsageStrings = ReturnType<typeof getUsageStrings>;
