import * as z from 'zod';
import type { ModelCacheSize, TextCallBodies, TextCallEntry, UsageEntry } from '#contract/text/textCalls.ts';
import { createParser } from '../shared/parser.ts';
import type { ColumnWidths } from '../shared/table/columnLayout.ts';
import { widthsMessageSchema } from '../shared/table/widthsMessage.ts';
import type { UsageStrings } from './usageStrings.ts';

/** Views of the page: the request log, or its sums. */
const usageViews = ['calls', 'usage'] as const;
export type UsageView = (typeof usageViews)[number];

/** Periods of the sums in days. */
export const usageRanges = [7, 30, 90, 365] as const;
type UsageDays = (typeof usageRanges)[number];

/** Periods of the request log that end now; it can also show all calls. */
export const callsRanges = ['hour', 'day', 'week'] as const;

const name = z.string().max(200);
const place = z.int().min(0).max(10_000_000);
const callsFilterSchema = z.object({
	text: name,
	model: name,
	agent: name,
	status: z.enum(['', 'succeeded', 'failed']),
	range: z.enum([...callsRanges, 'any']),
});
/** Filter of the request log. Empty strings match everything. */
export type CallsFilter = z.infer<typeof callsFilterSchema>;

/** Schema of messages from the page. Invalid messages are dropped. Messages from the host are trusted. */
const usageMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('view'), view: z.enum(usageViews) }),
	z.object({ type: z.literal('filter'), filter: callsFilterSchema }),
	z.object({ type: z.literal('range'), days: z.literal(usageRanges) }),
	/** Requests the rows from index `from` up to, but not including, `to`. */
	z.object({ type: z.literal('slice'), from: place, to: place }),
	widthsMessageSchema,
	/** Requests the details of a call, or opens its run. */
	z.object({ type: z.literal('open'), id: name }),
	z.object({ type: z.literal('inspect'), id: name }),
	z.object({ type: z.literal('command'), command: z.enum(['refresh', 'loadMore', 'clearCache']) }),
]);
export type FromUsage = z.infer<typeof usageMessageSchema>;
export const parseUsageMessage = createParser(usageMessageSchema);

/** Reads the state of a page that survives a restart. */
export const parseKeptUsage = createParser(z.object({ view: z.enum(usageViews) }));

export type UsageSums = Readonly<Record<'day' | 'model' | 'agent', readonly UsageEntry[]>>;

export interface UsageState {
	readonly view: UsageView;
	readonly filter: CallsFilter;
	readonly days: UsageDays;
	/** Changes when rows move to other positions. */
	readonly generation: number;
	readonly count: number;
	readonly hasMore: boolean;
	readonly loading: boolean;
	readonly problem?: string;
	readonly sums?: UsageSums;
	readonly cache?: ModelCacheSize;
}

/** Messages from the host. */
export type FromUsageHost =
	| { readonly type: 'snapshot'; readonly strings: UsageStrings; readonly state: UsageState; readonly widths: ColumnWidths }
	| { readonly type: 'state'; readonly state: UsageState }
	| { readonly type: 'rows'; readonly generation: number; readonly from: number; readonly rows: readonly TextCallEntry[] }
	| { readonly type: 'call'; readonly call: TextCallEntry; readonly bodies: TextCallBodies };
