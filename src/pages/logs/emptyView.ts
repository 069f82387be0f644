import { html, nothing } from 'lit';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import type { FromLogs, LogsState } from './logsMessages.ts';
import type { LogsStrings } from './logsStrings.ts';

interface EmptyActions {
	post(message: FromLogs): void;
	clear(): void;
	clearTime(): void;
}

/** Explains why no runs are listed, with actions to change that. */
export function renderEmptyLogs(
	{ count, read, filter, hasMore, loaded, loading, wrongDates }: LogsState,
	strings: LogsStrings,
	actions: EmptyActions,
): unknown {
	if (wrongDates) {
		return html`<p class="empty">${strings.wrongDates}</p>`;
	}
	if (count > 0 || !loaded || loading) {
		return nothing;
	}
	const { status, text, user, minSeconds, minTokens, range } = filter;
	const isNarrowed = status !== undefined || `${text}${user}`.trim() !== '' || minSeconds !== undefined || minTokens !== undefined;
	const renderAction = (label: string, act: () => void) => html`<button type="button" class="linkButton" @click=${act}>${label}</button>`;
	if (!isNarrowed && range === 'any') {
		return html`<p class="empty">${strings.empty}</p><p class="empty dim">${strings.drafts}</p>`;
	}
	return html`<p class="empty">${read > 1 ? fill(strings.noMatchLoaded, formatNumber(read)) : strings.noMatch}
		${hasMore ? renderAction(strings.loadMore, () => actions.post({ type: 'command', command: 'loadMore' })) : nothing}
		${isNarrowed ? renderAction(strings.clear, actions.clear) : nothing}
		${range === 'any' ? nothing : renderAction(strings.anyTime, actions.clearTime)}</p>`;
}
