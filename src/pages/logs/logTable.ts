import { getOwnField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { formatDateTime, formatNumber } from '../shared/format.ts';
import { getStatusIconClasses } from '../shared/statusIcon.ts';
import type { Column, TableLook } from '../shared/table/columns.ts';
import type { LogsSort } from './logsFilter.ts';
import type { LogsHead, LogsState, RunPreview } from './logsMessages.ts';
import type { LogsStrings } from './logsStrings.ts';

interface LogTableModel {
	readonly head: LogsHead;
	readonly state: LogsState;
	readonly strings: LogsStrings;
	readonly previews: ReadonlyMap<string, RunPreview>;
	onSort(by: LogsSort['by']): void;
}

/** Defines the table of runs. */
export function createLogTable({ head, state, strings, previews, onSort }: LogTableModel): TableLook<LogEntry, LogsSort['by']> {
	const { connectionId, agent: only } = head.target;
	const agent: Column<LogEntry, LogsSort['by']> = { label: strings.agent, formatCell: entry => entry.agent };
	return {
		label: strings.list,
		rowCss: 'logRow',
		sort: { ...state.sort, tabStops: true },
		onSort,
		columns: [
			{
				label: strings.time,
				css: 'time',
				sort: 'time',
				formatCell: ({ createdAt }) => (createdAt === undefined ? '' : formatTime(createdAt)),
			},
			{
				label: strings.status,
				formatCell: ({ status }) => ({
					text: getOwnField(strings.statuses, status) ?? status,
					css: 'statusCell',
					title: '',
					icon: getStatusIconClasses(status),
				}),
			},
			...(only === undefined ? [agent] : []),
			{ label: strings.user, formatCell: entry => entry.user ?? '' },
			{
				label: strings.duration,
				css: 'figure',
				sort: 'duration',
				formatCell: ({ status, elapsedSeconds }) =>
					status === 'running' || status === 'paused' ? '' : formatDuration(elapsedSeconds * 1000, 'brief', strings),
			},
			{ label: strings.tokens, css: 'figure', sort: 'tokens', formatCell: ({ tokens }) => (tokens > 0 ? formatNumber(tokens) : '') },
			{ label: strings.inputs, formatCell: ({ id }) => previews.get(id)?.inputs ?? '' },
			{
				label: strings.outcome,
				formatCell: ({ id, error }) => (error ? { text: error, css: 'errorCell' } : (previews.get(id)?.outputs ?? '')),
			},
		],
		formatContext: active => (active ? { webviewSection: 'run', connectionId, agentName: active.agent, runId: active.runId } : {}),
	};
}

/** @param ms Unix milliseconds */
function formatTime(ms: number): string {
	const date = new Date(ms);
	const isThisYear = date.getFullYear() === new Date().getFullYear();
	return formatDateTime(ms, {
		...(isThisYear ? {} : { year: 'numeric' }),
		day: 'numeric',
		month: 'short',
		hour: 'numeric',
		minute: '2-digit',
		second: '2-digit',
	});
}
