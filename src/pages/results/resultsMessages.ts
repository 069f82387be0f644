import * as z from 'zod';
import type { Outcome } from '#suites/results/caseResult.ts';
import type { Change } from '#suites/results/comparison.ts';
import { createParser } from '../shared/parser.ts';
import type { ResultsStrings } from './resultsStrings.ts';

/** How a case can end. */
export const outcomes = ['passed', 'failed', 'not-run'] as const;
const changes = ['better', 'worse', 'changed', 'same', 'new'] as const;
/** What results are sorted by; `order`: as the suite has them. */
const sortedBy = ['order', 'name', 'outcome', 'score', 'seconds', 'tokens', 'cost'] as const;

/** Which results are listed, and how. */
const listingSchema = z.object({
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

/** What the page may send; anything else is dropped. What the host sends is trusted. */
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
export const parseResultsMessage = createParser(resultsMessageSchema);

/** What a page keeps over a restart. */
const keptSchema = z.object({
	suite: z.string(),
	batch: z.string().optional().catch(undefined),
	listing: listingSchema.catch(firstListing),
});
export type KeptResults = z.infer<typeof keptSchema>;

/** What a page kept; `undefined` if it does not even say whose results it shows. */
export const parseKeptResults = createParser(keptSchema);

/** A batch in the list of those that are kept. */
export interface KeptBatchHead {
	readonly id: string;
	/** When it began, and how it ended. */
	readonly text: string;
	readonly isBaseline: boolean;
}

/** How far a batch is that goes on. */
export interface LiveBatch {
	readonly total?: number;
	readonly done: number;
	readonly secondsLeft?: number;
	/** Why nothing is started at the moment, in words. */
	readonly waiting?: string;
	readonly stopping: boolean;
}

/** What is listed, and how. The rows themselves are asked for by their places. */
export interface ResultsState {
	readonly listing: Listing;
	/** Changes when rows have other places than before. */
	readonly generation: number;
	/** Lines of the list, with those of groups. */
	readonly count: number;
	/** Results in all. */
	readonly results: number;
	readonly passed: number;
	readonly failed: number;
	readonly notRun: number;
	readonly batches: readonly KeptBatchHead[];
	/** ID of the batch that is shown; absent: there is none yet. */
	readonly batch?: string;
	readonly live?: LiveBatch;
	/** There is more in the file than is listed by now, or the baseline is still being read. */
	readonly reading: boolean;
	/** How it ended, in words. */
	readonly ended?: string;
	/** It was interrupted, and its suite is still the same. */
	readonly resumable: boolean;
	/** How many differ from the baseline, and how; absent where there is none to compare with. */
	readonly changes?: Readonly<Partial<Record<Change, number>>>;
	readonly problem?: string;
}

/** A row of the table: a case, or the heading of those that failed alike. Values are cut. */
export type ResultRow =
	| {
			readonly id: string;
			readonly kind: 'case';
			readonly name: string;
			readonly outcome: Outcome;
			readonly inputs: string;
			readonly outputs: string;
			/** How many passed, of how many, as `2/3`. */
			readonly checks: string;
			readonly failure: string;
			readonly seconds?: number;
			readonly tokens: number;
			/** With its currency. */
			readonly cost: string;
			readonly change?: Change;
	  }
	| {
			readonly id: string;
			readonly kind: 'group';
			readonly text: string;
			readonly count: number;
			/** Its cases are not listed. */
			readonly folded: boolean;
	  };

/** One check of a case, to be read. */
export interface CheckView {
	readonly name: string;
	readonly passed: boolean;
	readonly message: string;
	/** Both are there, to be seen beside each other. */
	readonly differs: boolean;
	/** What it found can be accepted as the snapshot. */
	readonly acceptable: boolean;
}

/** One case, to be read. Values are JSON, cut where nobody would read on. */
export interface CaseView {
	readonly id: string;
	readonly name: string;
	readonly outcome: Outcome;
	readonly fault?: string;
	readonly error?: string;
	readonly inputs: string;
	readonly outputs: string;
	readonly checks: readonly CheckView[];
	/** Its run can be looked at. */
	readonly hasRun: boolean;
	/** The baseline has this case, and not with the same result. */
	readonly comparable: boolean;
}

export type FromResultsHost =
	| {
			readonly type: 'snapshot';
			readonly suite: string;
			readonly name: string;
			readonly state: ResultsState;
			readonly strings: ResultsStrings;
	  }
	| {
			readonly type: 'state';
			readonly state: ResultsState;
			/** Rows in sight, where they have other places than before. */
			readonly rows?: { readonly from: number; readonly rows: readonly ResultRow[] };
	  }
	| { readonly type: 'rows'; readonly generation: number; readonly from: number; readonly rows: readonly ResultRow[] }
	| { readonly type: 'case'; readonly case: CaseView | undefined };
