import { html, nothing } from 'lit';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import type { TableLook } from '../shared/table/virtualTable.ts';
import { logRow, type RowModel } from './logRow.ts';
import type { LogsSort } from './logsFilter.ts';
import type { LogsHead, LogsState } from './logsProtocol.ts';
import type { LogsStrings } from './logsStrings.ts';

export type LogTableModel = RowModel & { readonly head: LogsHead; readonly state: LogsState; readonly strings: LogsStrings };

/** Runs as rows of a table. */
export function logTable(model: LogTableModel, sorted: (by: LogsSort['by']) => void): TableLook<LogEntry> {
	const { connectionId } = model.head.target;
	return {
		label: model.strings.list,
		head: () => tableHead(model, sorted),
		row: (entry, place) => logRow(entry, place, model),
		context: active => (active ? { webviewSection: 'run', connectionId, agentName: active.agent, runId: active.runId } : {}),
	};
}

function tableHead({ strings, state: { sort }, several }: LogTableModel, sorted: (by: LogsSort['by']) => void): unknown {
	const sortable = (by: LogsSort['by'], label: string, css: string) => html`<div
		role="columnheader"
		class=${css}
		aria-sort=${sort.by === by ? (sort.descending ? 'descending' : 'ascending') : 'none'}
	><button type="button" class="columnButton" @click=${() => sorted(by)}>${label}<span
		class="codicon ${sort.by === by ? `codicon-arrow-${sort.descending ? 'down' : 'up'}` : ''}"
		aria-hidden="true"
	></span></button></div>`;
	const plain = (label: string, css = '') => html`<div role="columnheader" class=${css}>${label}</div>`;
	return html`<div role="rowgroup" class="tableHead"><div role="row" class="tableRow logRow headRow" aria-rowindex="1">
		${sortable('time', strings.time, '')}
		${plain(strings.status)}
		${several ? plain(strings.agent) : nothing}
		${plain(strings.user)}
		${sortable('duration', strings.duration, 'figure')}
		${sortable('tokens', strings.tokens, 'figure')}
		${plain(strings.inputs)}
		${plain(strings.outcome)}
	</div></div>`;
}
