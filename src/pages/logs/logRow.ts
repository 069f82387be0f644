import { html, nothing } from 'lit';
import { ownField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { statusIcon } from '../shared/statusIcon.ts';
import type { RowPlace } from '../shared/table/virtualTable.ts';
import type { RunPreview } from './logsProtocol.ts';
import type { LogsStrings } from './logsStrings.ts';

/** What rows show beside their entries. */
export interface RowModel {
	readonly strings: LogsStrings;
	/** Logs of several agents: each row says whose it is. */
	readonly several: boolean;
	readonly previews: ReadonlyMap<string, RunPreview>;
	click(place: number, event: MouseEvent): void;
	open(place: number): void;
}

/** A run in the table; one that has not come yet is an empty row. */
export function logRow(entry: LogEntry | undefined, { place, top, isActive, isSelected }: RowPlace, model: RowModel): unknown {
	const { strings, several, previews } = model;
	const cell = (text: string, css = '') => html`<div role="gridcell" class=${css} title=${text === '' ? nothing : text}>${text}</div>`;
	const preview = entry && previews.get(entry.id);
	const ended = entry && entry.status !== 'running' && entry.status !== 'paused';
	return html`<div
		role="row"
		id="row-${place}"
		class="tableRow logRow ${isActive ? 'active' : ''} ${isSelected ? 'selected' : ''}"
		style="top: ${top}px"
		aria-rowindex=${place + 2}
		aria-selected=${isSelected ? 'true' : 'false'}
		aria-busy=${entry ? nothing : 'true'}
		@click=${(event: MouseEvent) => model.click(place, event)}
		@contextmenu=${(event: MouseEvent) => model.click(place, event)}
		@dblclick=${() => model.open(place)}
	>
		${cell(entry?.createdAt === undefined ? '' : timeText(entry.createdAt), 'time')}
		<div role="gridcell" class="statusCell">${entry ? html`<span class=${statusIcon(entry.status)} aria-hidden="true"></span>${ownField(strings.statuses, entry.status) ?? entry.status}` : nothing}</div>
		${several ? cell(entry?.agent ?? '') : nothing}
		${cell(entry?.user ?? '')}
		${cell(ended ? formatDuration(entry.elapsedSeconds * 1000, 'brief', strings) : '', 'figure')}
		${cell(entry && entry.tokens > 0 ? entry.tokens.toLocaleString() : '', 'figure')}
		${cell(preview?.inputs ?? '')}
		${cell(entry?.error || preview?.outputs || '', entry?.error ? 'errorCell' : '')}
	</div>`;
}

/** A moment, to the second. Takes Unix milliseconds. */
function timeText(ms: number): string {
	const date = new Date(ms);
	const isThisYear = date.getFullYear() === new Date().getFullYear();
	return date.toLocaleString(undefined, {
		...(isThisYear ? {} : { year: 'numeric' }),
		day: 'numeric',
		month: 'short',
		hour: 'numeric',
		minute: '2-digit',
		second: '2-digit',
	});
}
