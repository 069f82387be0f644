import * as z from 'zod';
import type { ModelCacheSize, TextCallBodies, TextCallEntry, UsageEntry } from '#contract/text/textCalls.ts';
import { createParser } from '../shared/parser.ts';
import type { UsageStrings } from './usageStrings.ts';

/** What the page shows: the request log, or sums of it. */
const usageViews = ['calls', 'usage'] as const;
export type UsageView = (typeof usageViews)[number];

/** Days that sums go back. */
export const usageRanges = [7, 30, 90, 365] as const;
type UsageDays = (typeof usageRanges)[number];

const name = z.string().max(200);
const place = z.int().min(0).max(10_000_000);
const callsFilterSchema = z.object({ model: name, agent: name, status: z.enum(['', 'succeeded', 'failed']) });
/** What the request log is narrowed down to; empty texts are nothing. */
export type CallsFilter = z.infer<typeof callsFilterSchema>;

/** What the page may send; anything else is dropped. What the host sends is trusted. */
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
export const parseUsageMessage = createParser(usageMessageSchema);

/** What a page saves over a restart. */
export const parseKeptUsage = createParser(z.object({ view: z.enum(usageViews) }));

/** Sums by each group. */
export type UsageSums = Readonly<Record<'day' | 'model' | 'agent', readonly UsageEntry[]>>;

/** How the page stands. */
export interface UsageState {
	readonly view: UsageView;
	readonly filter: CallsFilter;
	readonly days: UsageDays;
	/** Changes when rows have other places than before. */
	readonly generation: number;
	readonly count: number;
	readonly hasMore: boolean;
	readonly loading: boolean;
	/** What went wrong, as a sentence. */
	readonly problem?: string;
	readonly sums?: UsageSums;
	readonly cache?: ModelCacheSize;
}

/** Messages to the page. */
export type FromUsageHost =
	| { readonly type: 'snapshot'; readonly strings: UsageStrings; readonly state: UsageState }
	| { readonly type: 'state'; readonly state: UsageState }
	| { readonly type: 'rows'; readonly generation: number; readonly from: number; readonly rows: readonly TextCallEntry[] }
	| { readonly type: 'call'; readonly call: TextCallEntry; readonly bodies: TextCallBodies };
