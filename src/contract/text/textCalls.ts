import * as z from 'zod';
import { day, instant, integerIn } from '../ranges.ts';

/** Query of the request log (built-in gateway): one page, newest first; `last_id` is the `next_id` of the page before. */
export const textCallsQuerySchema = z.looseObject({
	model: z.string().min(1).optional(),
	agent: z.string().min(1).optional(),
	status: z.enum(['succeeded', 'failed']).optional(),
	created_at__after: instant.optional(),
	created_at__before: instant.optional(),
	last_id: z
		.string()
		.regex(/^\d{1,15}$/, 'expected the next_id of a page')
		.optional(),
	limit: integerIn({ from: 1, to: 100 }).default(20),
});
export type TextCallsQuery = z.input<typeof textCallsQuerySchema>;

/** A call of text generation through the built-in gateway. Numbers that are not known are null. */
export interface TextCallEntry {
	readonly id: string;
	/** Unix seconds. */
	readonly created_at: number;
	/** Path of the endpoint; `node` for nodes of agents. */
	readonly endpoint: string;
	/** As the caller wrote it; `asked → answered` if another model answered. */
	readonly model: string;
	/** Name or pattern of the route that answered, `none (offline)` for the offline model without a route, and its protocol. */
	readonly route: string;
	readonly provider: string;
	/** HTTP status; 499 where the caller went away. */
	readonly status: number;
	/** A sentence; null where the call succeeded. */
	readonly error: string | null;
	/** End user of the run, or the program that called. */
	readonly user: string;
	readonly agent: string | null;
	readonly run_id: string | null;
	/** Requests that were made for it, retries and fallbacks included. */
	readonly tries: number;
	/** Whether the reply came from the cache. */
	readonly cache_hit: boolean;
	/** Seconds. */
	readonly elapsed_time: number;
	readonly input_tokens: number | null;
	readonly cached_tokens: number | null;
	readonly output_tokens: number | null;
	readonly cost: number | null;
	readonly currency: string | null;
}

/** One page of the request log; `next_id` is null at its end. */
export interface TextCallPage {
	readonly limit: number;
	readonly has_more: boolean;
	readonly next_id: string | null;
	readonly data: readonly TextCallEntry[];
}

/** What was sent and answered in one call; null where bodies are not kept. */
export interface TextCallBodies {
	readonly request: string | null;
	readonly reply: string | null;
}

/** Query of the usage: days of the gateway's calendar, both included. */
export const usageQuerySchema = z.looseObject({
	from: day,
	to: day,
	by: z.enum(['day', 'model', 'agent']).default('day'),
});
export type UsageQuery = z.input<typeof usageQuerySchema>;

/** Calls of one day, model or agent (empty: no agent), in one currency (empty: their price is not known). */
export interface UsageEntry {
	readonly name: string;
	readonly currency: string;
	readonly calls: number;
	readonly failed: number;
	readonly cache_hits: number;
	readonly input_tokens: number;
	readonly cached_tokens: number;
	readonly output_tokens: number;
	readonly cost: number;
}
export interface UsageReport {
	readonly data: readonly UsageEntry[];
}

/** What the cache of replies holds; `cleared` is what it held, where it was just cleared. */
export interface ModelCacheSize {
	readonly entries: number;
	readonly bytes: number;
}
