import { getOwnField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { formatDateTime, formatMoment, formatNumber } from '../shared/format.ts';
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
	const agent: Column<LogEntry, LogsSort['by']> = {
		id: 'agent',
		label: strings.agent,
		width: 90,
		grow: 0.5,
		rank: 2,
		formatCell: entry => entry.agent,
	};
	return {
		label: strings.list,
		rowCss: 'logRow',
		strings,
		sort: state.sort,
		onSort,
		columns: [
			{
				id: 'time',
				label: strings.time,
				width: 138,
				rank: 0,
				css: 'time',
				sort: 'time',
				formatCell: ({ createdAt }) => (createdAt === undefined ? '' : { text: formatMoment(createdAt), title: formatDateTime(createdAt) }),
			},
			{
				id: 'status',
				label: strings.status,
				width: 136,
				rank: 1,
				formatCell: ({ status }) => ({
					text: getOwnField(strings.statuses, status) ?? status,
					css: 'statusCell',
					title: '',
					icon: getStatusIconClasses(status),
				}),
			},
			...(only === undefined ? [agent] : []),
			{ id: 'user', label: strings.user, width: 90, rank: 7, isOptional: true, formatCell: entry => entry.user ?? '' },
			{
				id: 'duration',
				label: strings.duration,
				width: 72,
				rank: 3,
				css: 'figure',
				sort: 'duration',
				formatCell: ({ status, elapsedSeconds }) =>
					status === 'running' || status === 'paused' ? '' : formatDuration(elapsedSeconds * 1000, 'brief', strings),
			},
			{
				id: 'tokens',
				label: strings.tokens,
				width: 72,
				rank: 6,
				isOptional: true,
				css: 'figure',
				sort: 'tokens',
				formatCell: ({ tokens }) => (tokens > 0 ? formatNumber(tokens) : ''),
			},
			{ id: 'inputs', label: strings.inputs, width: 112, grow: 1, rank: 5, formatCell: ({ id }) => previews.get(id)?.inputs ?? '' },
			{
				id: 'outcome',
				label: strings.outcome,
				width: 140,
				grow: 1.4,
				rank: 4,
				formatCell: ({ id, error }) => error || (previews.get(id)?.outputs ?? ''),
			},
		],
		formatContext: active => (active ? { webviewSection: 'run', connectionId, agentName: active.agent, runId: active.runId } : {}),
	};
}
