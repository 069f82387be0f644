import { html, nothing } from 'lit';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import type { FromLogs, LogsState } from './logsMessages.ts';
import type { LogsStrings } from './logsStrings.ts';

/** Describes how many runs are listed. */
export function formatRunCount({ count, read, total, hasMore, partial }: LogsState, strings: LogsStrings): string {
	if (partial && (hasMore || count !== read)) {
		return fill(strings.ofLoaded, formatNumber(count), formatNumber(read));
	}
	if (hasMore) {
		return total === undefined
			? fill(strings.count, `${formatNumber(count)}+`)
			: fill(strings.ofTotal, formatNumber(count), formatNumber(total));
	}
	return count === 1 ? strings.countOne : fill(strings.count, formatNumber(count));
}

/** Renders the number of listed runs, the loading state and problems. */
export function renderLogsStatus(state: LogsState, strings: LogsStrings, post: (message: FromLogs) => void): unknown {
	const { loaded, loading, hasMore, partial, problem, count } = state;
	const renderCommand = (name: Extract<FromLogs, { type: 'command' }>['command'], label: string) =>
		html`<button type="button" class="linkButton" @click=${() => post({ type: 'command', command: name })}>${label}</button>`;
	return html`<div class="statusLine">
		${loaded ? html`<span class="count">${formatRunCount(state, strings)}</span>` : nothing}
		${loaded && count > 0 ? html`<span class="codicon codicon-info dim" role="img" tabindex="0" title=${strings.drafts} aria-label=${strings.drafts}></span>` : nothing}
		${loaded && partial && hasMore ? html`<span class="dim">${strings.partial}</span>` : nothing}
		${loading ? html`<span class="dim">${strings.loading}</span>${renderCommand('cancel', strings.cancel)}` : loaded && hasMore && !problem ? renderCommand('loadMore', strings.loadMore) : nothing}
		${
			problem
				? html`<span class="problem" role="alert"><span class="codicon codicon-error" aria-hidden="true"></span>${problem.text}</span>
					${renderCommand('loadMore', strings.retry)}${problem.remedy === undefined ? nothing : renderCommand('remedy', problem.remedy)}`
				: nothing
		}
	</div>`;
}
