import * as z from 'zod';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { createParser } from '../shared/parser.ts';
import type { ColumnWidths } from '../shared/table/columnLayout.ts';
import { widthsMessageSchema } from '../shared/table/widthsMessage.ts';
import type { LogsFilter, LogsSort } from './logsFilter.ts';
import { firstFilter, firstSort, logsFilterSchema, logsSortSchema } from './logsFilter.ts';
import type { LogsStrings } from './logsStrings.ts';

const id = z.string().max(1000);
const place = z.number().int().min(0).max(10_000_000);

/** Schema of messages from the page. Invalid messages are dropped. Messages from the host are trusted. */
const logsMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('filter'), filter: logsFilterSchema }),
	z.object({ type: z.literal('sort'), sort: logsSortSchema }),
	/** Requests the entries from index `from` up to, but not including, `to`. */
	z.object({ type: z.literal('slice'), from: place, to: place }),
	/** Requests the previews of the entries with these IDs. */
	z.object({ type: z.literal('previews'), ids: z.array(id).max(200) }),
	widthsMessageSchema,
	z.object({ type: z.literal('live'), on: z.boolean() }),
	z.object({ type: z.literal('compare'), ids: z.tuple([id, id]) }),
	/** Performs an action on an entry. */
	z.object({ type: z.literal('act'), act: z.enum(['inspect', 'runAgain']), id }),
	z.object({ type: z.literal('command'), command: z.enum(['loadMore', 'cancel', 'refresh', 'remedy', 'export']) }),
]);

/** A validated message from the page. */
export type FromLogs = z.infer<typeof logsMessageSchema>;

/** Returns the validated message; undefined if it's invalid. */
export const parseLogsMessage = createParser(logsMessageSchema);

/** State of a page that survives a restart. */
const keptSchema = z.object({
	connectionId: z.string(),
	agent: z.string().optional(),
	filter: logsFilterSchema.catch(firstFilter),
	sort: logsSortSchema.catch(firstSort),
});
export type KeptLogs = z.infer<typeof keptSchema>;

/** Reads the state of a page; undefined if it lacks the connection. */
export const parseKeptLogs = createParser(keptSchema);

/** The agent whose logs a page shows; without an agent, all agents of the connection. */
export interface LogsTarget {
	readonly connectionId: string;
	readonly agent?: string | undefined;
}

/** Inputs and outputs of a run, each as one line. */
export interface RunPreview {
	readonly inputs: string;
	readonly outputs: string;
	/** True if the run has ended, so that the preview won't change. */
	readonly final: boolean;
}

/** Number of runs that started in one interval, by result. */
interface HistogramBar {
	readonly succeeded: number;
	readonly failed: number;
	readonly other: number;
}

/** Runs over time. `from` and `to` are in Unix milliseconds. All bars cover intervals of the same length. */
export interface Histogram {
	readonly from: number;
	readonly to: number;
	readonly bars: readonly HistogramBar[];
	/** True if the histogram only counts loaded runs. */
	readonly isPartial: boolean;
}

/** State of the list. The page requests its entries separately. */
export interface LogsState {
	readonly filter: LogsFilter;
	readonly sort: LogsSort;
	/** Changes when entries move to other positions. */
	readonly generation: number;
	/** Number of listed entries. */
	readonly count: number;
	/** Number of entries added at the top since the last state. */
	readonly added: number;
	/** Number of entries loaded from the service. */
	readonly read: number;
	/** Number of all matching entries, if the service counts them. */
	readonly total?: number;
	readonly hasMore: boolean;
	readonly loading: boolean;
	/** True once the first page has been loaded. */
	readonly loaded: boolean;
	/** True if part of the filter or the order only applies to loaded entries. */
	readonly partial: boolean;
	/** True if the dates of the range are invalid. */
	readonly wrongDates: boolean;
	readonly live: boolean;
	readonly problem?: { readonly text: string; readonly remedy?: string };
}

/** The part of the page's state that doesn't change. */
export interface LogsHead {
	readonly target: LogsTarget;
	/** Name of the agent or the connection. */
	readonly name: string;
	readonly connection: string;
	/** True if the service can't search errors. */
	readonly noErrorSearch: boolean;
}

export type FromLogsHost =
	| {
			readonly type: 'snapshot';
			readonly head: LogsHead;
			readonly state: LogsState;
			readonly strings: LogsStrings;
			readonly widths: ColumnWidths;
	  }
	| { readonly type: 'state'; readonly state: LogsState }
	| { readonly type: 'rows'; readonly generation: number; readonly from: number; readonly rows: readonly LogEntry[] }
	/** Previews by entry ID. */
	| { readonly type: 'previews'; readonly previews: Readonly<Record<string, RunPreview>> }
	/** The histogram; undefined if there is nothing to count. */
	| { readonly type: 'histogram'; readonly histogram: Histogram | undefined };
