import * as z from 'zod';
import type { Outcome } from '#suites/results/caseResult.ts';
import type { Change } from '#suites/results/comparison.ts';
import type { Interval } from '#suites/statistics/intervals.ts';
import type { VariantVerdict } from '#suites/statistics/pairedTests.ts';
import { createParser } from '../shared/parser.ts';
import type { ColumnWidths } from '../shared/table/columnLayout.ts';
import { widthsMessageSchema } from '../shared/table/widthsMessage.ts';
import type { ResultsStrings } from './resultsStrings.ts';
import type { TrendView } from './trend/trendMessages.ts';

/** How a case can end. */
export const outcomes = ['passed', 'failed', 'not-run'] as const;
const changes = ['better', 'worse', 'changed', 'same', 'new', 'judge'] as const;
/** Sort keys; `order` is the order of the suite. */
const sortedBy = ['order', 'name', 'outcome', 'score', 'seconds', 'tokens', 'cost'] as const;

/** Filters of cases by how their variants compare: not all alike, worse than the baseline, passed in some of their runs. */
export const cellFilters = ['differs', 'worse', 'flaky'] as const;
export type CellFilter = (typeof cellFilters)[number];

/** Which results are listed, and how. */
const listingSchema = z.object({
	text: z.string().max(1000),
	outcome: z.enum(outcomes).optional(),
	change: z.enum(changes).optional(),
	sort: z.enum(sortedBy),
	descending: z.boolean(),
	/** True to group results with the same failure, the largest group first. */
	grouped: z.boolean(),
	/** Filters of a comparison of variants, which all apply. */
	cells: z.array(z.enum(cellFilters)).max(cellFilters.length).catch([]),
});
export type Listing = z.infer<typeof listingSchema>;

/** Lists all results in the order of the suite. */
export const firstListing: Listing = { text: '', sort: 'order', descending: false, grouped: false, cells: [] };

/** Views of the page: the results of a batch, or the history of the suite. */
const resultsViews = ['results', 'trend'] as const;
export type ResultsView = (typeof resultsViews)[number];

const id = z.string().max(100);
const place = z.number().int().min(0).max(10_000_000);
/** The batch that the page shows. The request is about its results, and not about those of a batch that has started since. */
const batch = id.optional();

/** Schema of messages from the page. Invalid messages are dropped. Messages from the host are trusted. */
const resultsMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('listing'), listing: listingSchema }),
	/** Requests the rows from index `from` up to, but not including, `to`. */
	z.object({ type: z.literal('slice'), from: place, to: place }),
	widthsMessageSchema,
	/** Collapses or expands a group. */
	z.object({ type: z.literal('fold'), group: z.string().max(1000) }),
	/** Requests the details of a case. */
	z.object({ type: z.literal('case'), id }),
	z.object({ type: z.literal('batch'), id }),
	z.object({ type: z.literal('view'), view: z.enum(resultsViews) }),
	/** Performs an action on a case, or on one of its checks. */
	z.object({
		type: z.literal('act'),
		act: z.enum(['goToRun', 'goToCase', 'compareBaseline', 'compareExpected', 'accept']),
		id,
		batch,
		check: place.optional(),
	}),
	/** Compares the outputs of two results. */
	z.object({ type: z.literal('compare'), first: id, second: id, batch }),
	/** Writes a variant into the agent file. */
	z.object({ type: z.literal('apply'), variant: z.string().max(1000), batch }),
	/** Reruns these cases. */
	z.object({ type: z.literal('rerun'), ids: z.array(id).min(1).max(10_000) }),
	z.object({
		type: z.literal('command'),
		/** Absent for commands that start a batch or stop one. */
		batch,
		command: z.enum([
			'run',
			'compareVariants',
			'review',
			'rerunFailed',
			'resume',
			'cancel',
			'pin',
			'unpin',
			'exportCsv',
			'exportJsonl',
			'exportMarkdown',
			'addToHistory',
		]),
	}),
]);

/** A validated message from the page. */
export type FromResults = z.infer<typeof resultsMessageSchema>;

/** Returns the validated message; undefined if it's invalid. */
export const parseResultsMessage = createParser(resultsMessageSchema);

/** State of a page that survives a restart. */
const keptSchema = z.object({
	suite: z.string(),
	batch: z.string().optional().catch(undefined),
	listing: listingSchema.catch(firstListing),
	view: z.enum(resultsViews).catch('results'),
});
export type KeptResults = z.infer<typeof keptSchema>;

/** Reads the state of a page; undefined if it lacks the suite. */
export const parseKeptResults = createParser(keptSchema);

/** A saved batch in the list of batches. */
export interface KeptBatchHead {
	readonly id: string;
	/** Start time and result. */
	readonly text: string;
	readonly isBaseline: boolean;
}

/** Progress of a running batch. */
export interface LiveBatch {
	readonly total?: number;
	readonly done: number;
	readonly secondsLeft?: number;
	/** Why no run is being started at the moment. */
	readonly waiting?: string;
	readonly stopping: boolean;
}

/** State of the list. The page requests its rows separately. */
export interface ResultsState {
	readonly view: ResultsView;
	readonly listing: Listing;
	/** Changes when rows move to other positions. */
	readonly generation: number;
	/** Number of rows, including group headings. */
	readonly count: number;
	/** Number of all results. */
	readonly results: number;
	readonly passed: number;
	readonly failed: number;
	readonly notRun: number;
	readonly batches: readonly KeptBatchHead[];
	/** ID of the shown batch; absent if there is none yet. */
	readonly batch?: string;
	readonly live?: LiveBatch;
	/** True while results or the baseline are being read. */
	readonly reading: boolean;
	/** Message about how the batch ended. */
	readonly ended?: string;
	/** True if the batch was interrupted and its suite hasn't changed. */
	readonly resumable: boolean;
	/** True if all cases of the suite ran in the batch, so that it can be added to the history. */
	readonly isWhole: boolean;
	/** Number of results by change from the baseline; absent without a baseline. */
	readonly changes?: Readonly<Partial<Record<Change, number>>>;
	/** The compared variants, if the batch compares some. */
	readonly matrix?: MatrixView;
	/** True if the suite has variants, and if judges grade its outputs. */
	readonly hasVariants: boolean;
	readonly hasJudges: boolean;
	readonly problem?: string;
}

/** Summary of a comparison of variants. */
export interface MatrixView {
	readonly columns: readonly MatrixColumn[];
	/** Number of cases with a result. */
	readonly cases: number;
	/** Number of cases that each filter applies to. */
	readonly counts: Readonly<Record<CellFilter, number>>;
}

/** A compared variant. Rates and differences are shares; times are in seconds. */
export interface MatrixColumn {
	readonly name: string;
	readonly isBaseline: boolean;
	/** Number of cases with a result. */
	readonly cases: number;
	readonly rate: number;
	readonly interval: Interval;
	readonly p50?: number;
	readonly p95?: number;
	/** Amount with currency; empty if it isn't known. */
	readonly cost: string;
	/** Difference from the baseline; absent for the baseline. */
	readonly versus?: {
		readonly verdict: VariantVerdict;
		readonly difference: number;
		readonly interval?: Interval;
		readonly p: number;
	};
}

/** The result of a case in a variant. */
export interface MatrixCell {
	/** ID of the result. */
	readonly id: string;
	readonly outcome: Outcome;
	/** From 0 to 1; absent if the case couldn't run. */
	readonly score?: number;
	/** For repeated cases, how often it ran and passed. */
	readonly repeated?: { readonly runs: number; readonly passed: number };
	/** First line of the output, or why there is none. */
	readonly text: string;
}

/** A row of the table: a case, or the heading of a group. Values are shortened. */
export type ResultRow =
	| {
			readonly id: string;
			readonly kind: 'case';
			readonly name: string;
			readonly outcome: Outcome;
			readonly inputs: string;
			readonly outputs: string;
			/** Number of passed checks and of all checks, for example `2/3`. */
			readonly checks: string;
			/** Why the case didn't pass; empty if it did. */
			readonly failure: string;
			readonly seconds?: number;
			readonly tokens: number;
			/** Amount with currency. */
			readonly cost: string;
			readonly change?: Change;
	  }
	| {
			readonly id: string;
			readonly kind: 'cells';
			readonly name: string;
			/** Results in the order of the columns; `undefined` (null in messages) if there's none yet. */
			readonly cells: readonly (MatrixCell | undefined | null)[];
	  }
	| {
			readonly id: string;
			readonly kind: 'group';
			readonly text: string;
			readonly count: number;
			/** True if the group is collapsed. */
			readonly folded: boolean;
	  };

/** A check in the details of a case. */
export interface CheckView {
	readonly name: string;
	readonly passed: boolean;
	readonly message: string;
	/** True if expected and actual value can be compared. */
	readonly differs: boolean;
	/** True if the actual value can be accepted as the snapshot. */
	readonly acceptable: boolean;
}

/** Details of a case. Values are JSON, shortened to a maximum length. */
export interface CaseView {
	readonly id: string;
	readonly name: string;
	readonly outcome: Outcome;
	readonly fault?: string;
	readonly error?: string;
	readonly inputs: string;
	readonly outputs: string;
	readonly checks: readonly CheckView[];
	/** True if the run of the case can be opened. */
	readonly hasRun: boolean;
	/** True if the baseline has this case with another result. */
	readonly comparable: boolean;
}

export type FromResultsHost =
	| {
			readonly type: 'snapshot';
			readonly suite: string;
			readonly name: string;
			readonly state: ResultsState;
			readonly strings: ResultsStrings;
			readonly widths: ColumnWidths;
	  }
	| {
			readonly type: 'state';
			readonly state: ResultsState;
			/** The visible rows, if positions changed. */
			readonly rows?: { readonly from: number; readonly rows: readonly ResultRow[] };
	  }
	| { readonly type: 'rows'; readonly generation: number; readonly from: number; readonly rows: readonly ResultRow[] }
	| { readonly type: 'case'; readonly case: CaseView | undefined }
	| { readonly type: 'trend'; readonly trend: TrendView };
