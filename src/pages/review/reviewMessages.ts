import * as z from 'zod';
import type { JudgeSummary } from '#suites/judges/judgeAgreement.ts';
import { createParser } from '../shared/parser.ts';
import type { ReviewStrings } from './reviewStrings.ts';

/** Labels that a person can give, in the order of their keys 1 to 3. */
export const labelNames = ['pass', 'fail', 'skip'] as const;
export type LabelName = (typeof labelNames)[number];

const note = z.string().max(10_000);
const id = z.string().max(200);

/** Schema of messages from the page. Invalid messages are dropped. */
const reviewMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	/** Labels the shown output. `id` is that of the output, in case another one is shown meanwhile. */
	z.object({ type: z.literal('label'), id, label: z.enum(labelNames), note }),
	/** Goes to another output. A changed note of a labeled output is saved first. */
	z.object({ type: z.literal('move'), id, by: z.number().int().min(-1).max(1), note }),
	z.object({ type: z.literal('judgeAgain') }),
	z.object({ type: z.literal('goToCase') }),
]);
export type FromReview = z.infer<typeof reviewMessageSchema>;

/** Returns the validated message; undefined if it's invalid. */
export const parseReviewMessage = createParser(reviewMessageSchema);

/** State of a page that survives a restart. */
const keptSchema = z.object({ suite: z.string(), batch: z.string().optional().catch(undefined) });
export type KeptReview = z.infer<typeof keptSchema>;

/** State that the page saves: notes that aren't part of a label yet, by output. */
export interface SavedReview extends KeptReview {
	readonly drafts?: Readonly<Record<string, string>>;
}

/** Reads the state of a page; undefined if it lacks the suite. */
export const parseKeptReview = createParser(keptSchema);

/** An output to label. Texts are shortened. */
export interface ReviewedOutput {
	readonly id: string;
	/** Name of the case, with its row and variant. */
	readonly name: string;
	readonly judge: string;
	/** Empty if the suite has no judge of this name anymore. */
	readonly rubric: string;
	readonly inputs: string;
	readonly output: string;
	readonly label?: LabelName;
	readonly note: string;
	/** The judge's decision; absent until the output has a label. */
	readonly grade?: { readonly passed: boolean; readonly score: number; readonly reason: string; readonly model: string };
}

/** State of the page. */
export interface ReviewState {
	/** Position of the shown output, from 0, and number of outputs. */
	readonly place: number;
	readonly count: number;
	/** Number of outputs that this person has labeled or skipped. */
	readonly labeled: number;
	readonly shown?: ReviewedOutput;
	/** Name of the person, which is saved with the labels. */
	readonly by: string;
	readonly judges: readonly JudgeSummary[];
	/** False for comparisons of variants, whose outputs can't be judged again. */
	readonly canJudgeAgain: boolean;
	/** Number of outputs that were judged again so far, while that runs. */
	readonly judging?: number;
	readonly problem?: string;
}

export type FromReviewHost =
	| {
			readonly type: 'snapshot';
			readonly kept: KeptReview;
			readonly name: string;
			readonly strings: ReviewStrings;
			readonly state: ReviewState;
	  }
	| { readonly type: 'state'; readonly batch: string; readonly state: ReviewState };
