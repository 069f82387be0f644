import { type DurationStrings, formatDuration } from '#base/text/duration.ts';
import { fill } from '../../shared/fill.ts';
import { formatNumber } from '../../shared/format.ts';
import { formatMoney } from '../../shared/moneyText.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { ReplyFacts } from '../transcript/transcript.ts';

type ReplyFactStrings = DurationStrings & Pick<PanelStrings, 'firstToken' | 'tokensIn' | 'tokensOut' | 'tokensThinking' | 'tokensCached'>;

/** Returns the duration, tokens, cost and usual finish reason of a reply. */
export function formatFacts({ durationMs, firstTokenMs, usage, cost, finish }: ReplyFacts, strings: ReplyFactStrings): string[] {
	const formatCount = (tokens: number | undefined, text: string) => (tokens === undefined ? [] : [fill(text, formatNumber(tokens))]);
	const tokens = [
		...formatCount(usage?.input, strings.tokensIn),
		...formatCount(usage?.output, strings.tokensOut),
		...formatCount(usage?.thinking, strings.tokensThinking),
		...formatCount(usage?.cached, strings.tokensCached),
	].join(' / ');
	return [
		...(durationMs === undefined ? [] : [formatDuration(durationMs, 'brief', strings)]),
		...(firstTokenMs === undefined ? [] : [fill(strings.firstToken, formatDuration(firstTokenMs, 'brief', strings))]),
		...(tokens ? [tokens] : []),
		...(cost ? [formatMoney(cost.amount, cost.currency)] : []),
		// a notable reason is shown above as a sentence
		...(finish && !finish.notable ? [finish.text] : []),
	];
}
