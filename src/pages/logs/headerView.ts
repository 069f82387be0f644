import { html, nothing } from 'lit';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import type { FromLogs, LogsHead, LogsState } from './logsMessages.ts';
import type { LogsStrings } from './logsStrings.ts';

interface HeaderModel {
	readonly head: LogsHead;
	readonly state: LogsState;
	readonly strings: LogsStrings;
	/** IDs of the active row and of the selected rows. */
	readonly active: string | undefined;
	readonly selected: readonly string[];
	post(message: FromLogs): void;
}

/** Renders the title and the actions of the page. */
export function renderLogsHeader({ head, state, strings, active, selected, post }: HeaderModel): unknown {
	const renderTextButton = (icon: string, label: string, disabled: boolean, act: () => void, title = label) => html`<button
		type="button"
		class="wordButton"
		title=${title}
		?disabled=${disabled}
		@click=${act}
	><span class="codicon codicon-${icon}" aria-hidden="true"></span>${label}</button>`;
	const renderIconButton = (name: string, label: string, act: () => void, pressed?: boolean) => html`<button
		type="button"
		class="iconButton"
		title=${label}
		aria-label=${label}
		aria-pressed=${pressed === undefined ? nothing : String(pressed)}
		@click=${act}
	><span class="codicon codicon-${name}" aria-hidden="true"></span></button>`;
	const [first, second, ...rest] = selected;
	const pair = first !== undefined && second !== undefined && rest.length === 0 ? ([first, second] as [string, string]) : undefined;
	const { agent } = head.target;
	return html`<header class="top">
		<h1>${fill(strings.title, head.name)}</h1>
		${agent === undefined ? nothing : html`<span class="dim">${head.connection}</span>`}
		<div class="actions" role="toolbar" aria-label=${strings.actions}>
			${renderTextButton('inspect', strings.inspect, active === undefined, () => active !== undefined && post({ type: 'act', act: 'inspect', id: active }))}
			${renderTextButton('debug-restart', strings.runAgain, active === undefined, () => active !== undefined && post({ type: 'act', act: 'runAgain', id: active }))}
			${renderTextButton('diff', strings.compare, pair === undefined, () => pair && post({ type: 'compare', ids: pair }), strings.compareHint)}
			${renderTextButton('export', strings.export, state.count === 0, () => post({ type: 'command', command: 'export' }), fill(strings.exportHint, formatNumber(state.count)))}
			${renderIconButton('broadcast', strings.live, () => post({ type: 'live', on: !state.live }), state.live)}
			${renderIconButton('refresh', strings.refresh, () => post({ type: 'command', command: 'refresh' }))}
		</div>
	</header>`;
}
