import * as z from 'zod';
import { createIntegerSchema, day, instant } from '../ranges.ts';

/** Query of the request log (built-in gateway): one page, newest first; `last_id` is the `next_id` of the previous page. */
export const textCallsQuerySchema = z.looseObject({
	model: z.string().min(1).optional(),
	agent: z.string().min(1).optional(),
	/** Text in a field of the call, or in its request or reply if they are saved. */
	keyword: z.string().min(1).max(200).optional(),
	status: z.enum(['succeeded', 'failed']).optional(),
	created_at__after: instant.optional(),
	created_at__before: instant.optional(),
	last_id: z
		.string()
		.regex(/^\d{1,15}$/, 'expected the next_id of a page')
		.optional(),
	limit: createIntegerSchema({ from: 1, to: 100 }).default(20),
});
export type TextCallsQuery = z.input<typeof textCallsQuerySchema>;

const known = z.int().nullable();

/** A text generation call in the built-in gateway. Unknown numbers are null. */
const createTextCallEntrySchema = () =>
	z.object({
		id: z.string(),
		/** Unix seconds. */
		created_at: z.number(),
		/** Path of the endpoint; `node` for nodes of agents. */
		endpoint: z.string(),
		/** The requested model, or `requested → actual` if another model replied. */
		model: z.string(),
		/** Name or pattern of the route used, or `none (offline)` for the offline model without a route, and its protocol. */
		route: z.string(),
		provider: z.string(),
		/** HTTP status; 499 if the caller disconnected. */
		status: z.int(),
		/** Error message; null if the call succeeded. */
		error: z.string().nullable(),
		/** End user of the run, or the calling program. */
		user: z.string(),
		agent: z.string().nullable(),
		run_id: z.string().nullable(),
		/** Number of requests made, including retries and fallbacks. */
		tries: z.int(),
		/** True if the reply came from the cache. */
		cache_hit: z.boolean(),
		/** Seconds. */
		elapsed_time: z.number(),
		input_tokens: known,
		cached_tokens: known,
		output_tokens: known,
		cost: z.number().nullable(),
		currency: z.string().nullable(),
	});
export type TextCallEntry = z.infer<ReturnType<typeof createTextCallEntrySchema>>;

/** One page of the request log; `next_id` is null at its end. */
export const createTextCallPageSchema = () =>
	z.object({
		limit: z.int(),
		has_more: z.boolean(),
		next_id: z.string().nullable(),
		data: z.array(createTextCallEntrySchema()),
	});
export type TextCallPage = z.infer<ReturnType<typeof createTextCallPageSchema>>;

/** Request and reply of a call; null if bodies aren't saved. */
export const createTextCallBodiesSchema = () => z.object({ request: z.string().nullable(), reply: z.string().nullable() });
export type TextCallBodies = z.infer<ReturnType<typeof createTextCallBodiesSchema>>;

/** Query of the usage: days in the gateway's time zone, both inclusive. */
export const usageQuerySchema = z.looseObject({
	from: day,
	to: day,
	by: z.enum(['day', 'model', 'agent']).default('day'),
});
export type UsageQuery = z.input<typeof usageQuerySchema>;

/** Calls of one day, model or agent (empty: no agent), in one currency (empty: unknown price). */
const createUsageEntrySchema = () =>
	z.object({
		name: z.string(),
		currency: z.string(),
		calls: z.int(),
		failed: z.int(),
		cache_hits: z.int(),
		input_tokens: z.int(),
		cached_tokens: z.int(),
		output_tokens: z.int(),
		cost: z.number(),
	});
export type UsageEntry = z.infer<ReturnType<typeof createUsageEntrySchema>>;
export const createUsageReportSchema = () => z.object({ data: z.array(createUsageEntrySchema()) });
export type UsageReport = z.infer<ReturnType<typeof createUsageReportSchema>>;

/** Size of the reply cache; if it was just cleared, its previous size. */
export const createModelCacheSizeSchema = () => z.object({ entries: z.int(), bytes: z.int() });
export type ModelCacheSize = z.infer<ReturnType<typeof createModelCacheSizeSchema>>;
