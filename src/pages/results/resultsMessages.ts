import * as z from 'zod';
import { parserOf } from '../shared/parser.ts';

/** How a case can end. */
export const outcomes = ['passed', 'failed', 'not-run'] as const;
const changes = ['better', 'worse', 'changed', 'same', 'new'] as const;
/** What results are sorted by; `order`: as the suite has them. */
const sortedBy = ['order', 'name', 'outcome', 'score', 'seconds', 'tokens', 'cost'] as const;

/** Which results are listed, and how. */
export const listingSchema = z.object({
	text: z.string().max(1000),
	outcome: z.enum(outcomes).optional(),
	change: z.enum(changes).optional(),
	sort: z.enum(sortedBy),
	descending: z.boolean(),
	/** Those that failed alike stand together, the largest group first. */
	grouped: z.boolean(),
});
export type Listing = z.infer<typeof listingSchema>;

/** All, as the suite has them. */
export const firstListing: Listing = { text: '', sort: 'order', descending: false, grouped: false };

const id = z.string().max(100);
const place = z.number().int().min(0).max(10_000_000);

/** What the page may send; anything else is dropped. */
const resultsMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('listing'), listing: listingSchema }),
	/** Rows that come in sight, by their places; `to` is not among them. */
	z.object({ type: z.literal('slice'), from: place, to: place }),
	/** The cases of a group are listed no longer, or again. */
	z.object({ type: z.literal('fold'), group: z.string().max(1000) }),
	/** The case that is looked at. */
	z.object({ type: z.literal('case'), id }),
	z.object({ type: z.literal('batch'), id }),
	/** Done with one case, and one of its checks where it is about one. */
	z.object({
		type: z.literal('act'),
		act: z.enum(['goToRun', 'goToCase', 'compareBaseline', 'compareExpected', 'accept']),
		id,
		check: place.optional(),
	}),
	/** These cases are run again. */
	z.object({ type: z.literal('rerun'), ids: z.array(id).min(1).max(10_000) }),
	z.object({
		type: z.literal('command'),
		command: z.enum(['run', 'rerunFailed', 'resume', 'cancel', 'pin', 'unpin', 'exportCsv', 'exportJsonl', 'exportMarkdown']),
	}),
]);

/** A message of the page that was checked. */
export type FromResults = z.infer<typeof resultsMessageSchema>;

/** The message, or undefined for one that isn't of the protocol. */
export const parseResultsMessage = parserOf(resultsMessageSchema);

/** What a page keeps over a restart. */
const keptSchema = z.object({
	suite: z.string(),
	batch: z.string().optional().catch(undefined),
	listing: listingSchema.catch(firstListing),
});
export type KeptResults = z.infer<typeof keptSchema>;

/** What a page kept; `undefined` if it does not even say whose results it shows. */
export const parseKeptResults = parserOf(keptSchema);
