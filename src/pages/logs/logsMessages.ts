import * as z from 'zod';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { createParser } from '../shared/parser.ts';
import type { LogsFilter, LogsSort } from './logsFilter.ts';
import { firstFilter, firstSort, logsFilterSchema, logsSortSchema } from './logsFilter.ts';
import type { LogsStrings } from './logsStrings.ts';

const id = z.string().max(1000);
const place = z.number().int().min(0).max(10_000_000);

/** What the page may send; anything else is dropped. What the host sends is trusted. */
const logsMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('filter'), filter: logsFilterSchema }),
	z.object({ type: z.literal('sort'), sort: logsSortSchema }),
	/** Entries that come in sight, by their places; `to` is not among them. */
	z.object({ type: z.literal('slice'), from: place, to: place }),
	/** Entries that stay in sight, by their IDs: their previews are wanted. */
	z.object({ type: z.literal('previews'), ids: z.array(id).max(200) }),
	z.object({ type: z.literal('live'), on: z.boolean() }),
	z.object({ type: z.literal('compare'), ids: z.tuple([id, id]) }),
	/** Done with one entry. */
	z.object({ type: z.literal('act'), act: z.enum(['inspect', 'runAgain']), id }),
	z.object({ type: z.literal('command'), command: z.enum(['loadMore', 'cancel', 'refresh', 'remedy', 'export']) }),
]);

/** A message of the page that was checked. */
export type FromLogs = z.infer<typeof logsMessageSchema>;

/** The message, or undefined for one that isn't of the protocol. */
export const parseLogsMessage = createParser(logsMessageSchema);

/** What a page keeps over a restart. */
const keptSchema = z.object({
	connectionId: z.string(),
	agent: z.string().optional(),
	filter: logsFilterSchema.catch(firstFilter),
	sort: logsSortSchema.catch(firstSort),
});
export type KeptLogs = z.infer<typeof keptSchema>;

/** What a page kept; `undefined` if it does not even say whose logs it shows. */
export const parseKept = createParser(keptSchema);

/** Whose logs a page shows: one agent's, or those of all agents of a connection. */
export interface LogsTarget {
	readonly connectionId: string;
	readonly agent?: string | undefined;
}

/** What went into a run and came out, in a line each. */
export interface RunPreview {
	readonly inputs: string;
	readonly outputs: string;
	/** Nothing more will come of the run. */
	readonly final: boolean;
}

/** Runs that started in one part of a span, by how they ended; `other`: anything but these two. */
interface HistogramBar {
	readonly succeeded: number;
	readonly failed: number;
	readonly other: number;
}

/** Runs over time. `from` and `to` in Unix milliseconds; all bars stand for as long. */
export interface Histogram {
	readonly from: number;
	readonly to: number;
	readonly bars: readonly HistogramBar[];
	/** It counts what was loaded alone. */
	readonly isPartial: boolean;
}

/** What is listed, and how. The entries themselves are asked for by their places. */
export interface LogsState {
	readonly filter: LogsFilter;
	readonly sort: LogsSort;
	/** Changes when entries have other places than before. */
	readonly generation: number;
	/** Entries that are listed. */
	readonly count: number;
	/** Entries that came to the top since the last state. */
	readonly added: number;
	/** Entries that the service gave so far. */
	readonly read: number;
	/** Of all, where the service counts what the filter leaves. */
	readonly total?: number;
	readonly hasMore: boolean;
	readonly loading: boolean;
	/** Whether anything was loaded yet. */
	readonly loaded: boolean;
	/** A part of the filter, or the order, holds for what was loaded alone. */
	readonly partial: boolean;
	/** The dates of the range are none. */
	readonly wrongDates: boolean;
	readonly live: boolean;
	readonly problem?: { readonly text: string; readonly remedy?: string };
}

/** Whose logs, and what does not change. */
export interface LogsHead {
	readonly target: LogsTarget;
	/** What the agent, or the connection, is called. */
	readonly name: string;
	readonly connection: string;
	/** The service searches no errors. */
	readonly noErrorSearch: boolean;
}

export type FromLogsHost =
	| { readonly type: 'snapshot'; readonly head: LogsHead; readonly state: LogsState; readonly strings: LogsStrings }
	| { readonly type: 'state'; readonly state: LogsState }
	| { readonly type: 'rows'; readonly generation: number; readonly from: number; readonly rows: readonly LogEntry[] }
	/** By the IDs of entries. */
	| { readonly type: 'previews'; readonly previews: Readonly<Record<string, RunPreview>> }
	/** `undefined`: there is nothing to count. */
	| { readonly type: 'histogram'; readonly histogram: Histogram | undefined };
