import * as z from 'zod';
import { parserOf } from '../shared/parser.ts';

/** What the page shows: the request log, or sums of it. */
const usageViews = ['calls', 'usage'] as const;
export type UsageView = (typeof usageViews)[number];

/** Days that sums go back. */
export const usageRanges = [7, 30, 90, 365] as const;
export type UsageDays = (typeof usageRanges)[number];

const name = z.string().max(200);
const place = z.int().min(0).max(10_000_000);
export const callsFilterSchema = z.object({ model: name, agent: name, status: z.enum(['', 'succeeded', 'failed']) });
/** What the request log is narrowed down to; empty texts are nothing. */
export type CallsFilter = z.infer<typeof callsFilterSchema>;

/** What the page may send; anything else is dropped. */
const usageMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('view'), view: z.enum(usageViews) }),
	z.object({ type: z.literal('filter'), filter: callsFilterSchema }),
	z.object({ type: z.literal('range'), days: z.literal(usageRanges) }),
	/** Rows that come in sight, by their places; `to` is not among them. */
	z.object({ type: z.literal('slice'), from: place, to: place }),
	/** A call, to be looked at; or its run. */
	z.object({ type: z.literal('open'), id: name }),
	z.object({ type: z.literal('inspect'), id: name }),
	z.object({ type: z.literal('command'), command: z.enum(['refresh', 'loadMore', 'clearCache']) }),
]);
export type FromUsage = z.infer<typeof usageMessageSchema>;
export const parseUsageMessage = parserOf(usageMessageSchema);

/** What a page saves over a restart. */
export const parseKeptUsage = parserOf(z.object({ view: z.enum(usageViews) }));
