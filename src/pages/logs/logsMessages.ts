import * as z from 'zod';
import { parserOf } from '../shared/parser.ts';
import { firstFilter, firstSort, logsFilterSchema, logsSortSchema } from './logsFilter.ts';

const id = z.string().max(1000);
const place = z.number().int().min(0).max(10_000_000);

/** What the page may send; anything else is dropped. */
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
export const parseLogsMessage = parserOf(logsMessageSchema);

/** What a page keeps over a restart. */
const keptSchema = z.object({
	connectionId: z.string(),
	agent: z.string().optional(),
	filter: logsFilterSchema.catch(firstFilter),
	sort: logsSortSchema.catch(firstSort),
});
export type KeptLogs = z.infer<typeof keptSchema>;

/** What a page kept; `undefined` if it does not even say whose logs it shows. */
export const parseKept = parserOf(keptSchema);
