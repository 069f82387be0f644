import * as z from 'zod';
import { createIntegerSchema } from '../ranges.ts';
import type { Timestamp } from '../timestamps.ts';

/** A user's rating of a message; null removes it (Dify). */
export const ratings = ['like', 'dislike'] as const;
export type Rating = (typeof ratings)[number];

/** Body of `POST /messages/{message}/feedbacks`; `content` is a comment by the user. */
export const feedbackRequestSchema = z.looseObject({
	user: z.string().min(1),
	rating: z.enum(ratings).nullable(),
	content: z.string().optional(),
});
export type FeedbackRequest = z.infer<typeof feedbackRequestSchema>;

/** A page of the feedback on an app's messages (`GET /app/feedbacks`). */
export interface FeedbackPage {
	data: {
		id: string;
		conversation_id: string;
		message_id: string;
		rating: Rating | (string & {});
		content: string | null;
		from_source: 'user' | 'admin' | (string & {});
		created_at: Timestamp;
		[field: string]: unknown;
	}[];
}

/** Query of lists with page numbers from 1. */
export const pageQuerySchema = z.object({
	page: createIntegerSchema({ from: 1, to: 99_999 }).default(1),
	limit: createIntegerSchema({ from: 1, to: 100 }).default(20),
	keyword: z.string().optional(),
});
export type PageQuery = z.input<typeof pageQuerySchema>;

/** Response of `GET /messages/{message}/suggested`: suggested next questions. */
export interface SuggestedQuestions {
	data: string[];
}

/** Question and answer of an annotation: on a match, the app returns the answer without calling a model. */
export const annotationRequestSchema = z.looseObject({ question: z.string().min(1), answer: z.string().min(1) });
export type AnnotationRequest = z.infer<typeof annotationRequestSchema>;

/** Annotation of an app (`/apps/annotations`); `hit_count`: number of times it was used as the answer. */
export interface Annotation {
	id: string;
	question: string | null;
	answer: string | null;
	hit_count: number | null;
	created_at: Timestamp | null;
	[field: string]: unknown;
}

/** Page of an app's annotations. */
export interface AnnotationPage {
	data: Annotation[];
	has_more: boolean;
	limit: number;
	total: number;
	page: number;
}

/** Body of `POST /text-to-audio`: the message or the text to speak. By default, the app's voice is used. */
export const speechRequestSchema = z
	.looseObject({
		user: z.string().min(1),
		message_id: z.string().min(1).optional(),
		text: z.string().min(1).optional(),
		voice: z.string().min(1).optional(),
	})
	.refine(body => body.message_id !== undefined || body.text !== undefined, {
		path: ['text'],
		message: 'expected text or message_id',
	});
export type SpeechRequest = z.infer<typeof speechRequestSchema>;

/** Query of a conversation's variables; `last_id` is the last variable of the previous page. */
export const variablesQuerySchema = z.object({
	user: z.string().min(1),
	last_id: z.string().min(1).optional(),
	limit: createIntegerSchema({ from: 1, to: 100 }).default(20),
});
export type VariablesQuery = z.input<typeof variablesQuerySchema>;

/** Variable of a conversation; its value has the type that `value_type` names. */
export interface ConversationVariable {
	id: string;
	name: string;
	value_type: string;
	value: unknown;
	description: string;
	created_at: Timestamp;
	updated_at: Timestamp;
	[field: string]: unknown;
}

/** Page of a conversation's variables. */
export interface ConversationVariablePage {
	data: ConversationVariable[];
	has_more: boolean;
	limit: number;
}

/** Body of `PUT /conversations/{conversation}/variables/{variable}`. */
export const variableRequestSchema = z.looseObject({ user: z.string().min(1), value: z.unknown() });
export type VariableRequest = z.infer<typeof variableRequestSchema>;

/** End user of an ID in fields like an upload's `created_by` (`GET /end-users/{id}`). `external_user_id` is the `user` of requests. */
export interface EndUser {
	id: string;
	type: string;
	external_user_id: string | null;
	name: string | null;
	is_anonymous: boolean;
	session_id: string;
	created_at: Timestamp;
	[field: string]: unknown;
}
