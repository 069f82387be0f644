import * as z from 'zod';
import { attackSchema } from './attack.ts';
import { mocksSchema } from './mocks.ts';
import { createIntegerSchema, timestamp, values } from './ranges.ts';
import { recordingUseSchema } from './recordings/recordings.ts';
import type { Timestamp } from './timestamps.ts';
import { fileObjectSchema, responseModes } from './workflows.ts';

/**
 * Body of a chat turn with an agent (`POST /v1/agent/chat-messages`, not in the contract: Dify's fields plus the contract's `model`).
 * Without `conversation_id`, it starts a conversation, whose ID is in the response.
 */
export const chatRequestSchema = z.looseObject({
	model: z.string().min(1),
	query: z.string().min(1),
	inputs: z.record(z.string(), z.unknown()),
	response_mode: z.enum(responseModes),
	user: z.string().min(1),
	conversation_id: z.string().optional(),
	files: z.array(fileObjectSchema).optional(),
	auto_generate_name: z.boolean().optional(),
	mocks: mocksSchema.optional(),
	cache: z.boolean().optional(),
	recording: recordingUseSchema.optional(),
	attack: attackSchema.optional(),
	/** Runs the agent's current file without publishing it. */
	draft: z.boolean().optional(),
	/** With `draft`: text of the agent to run instead of its file. */
	source: z.string().optional(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;

/**
 * Body of a request to a completion app (`POST /v1/agent/completion-messages`, not in the contract: Dify's fields plus the contract's
 * `model`). `query` is added after the app's own prompt; most apps only use `inputs`.
 */
export const completionRequestSchema = z.looseObject({
	model: z.string().min(1),
	inputs: z.record(z.string(), z.unknown()),
	query: z.string().optional(),
	response_mode: z.enum(responseModes),
	user: z.string().min(1),
	files: z.array(fileObjectSchema).optional(),
});
export type CompletionRequest = z.infer<typeof completionRequestSchema>;

/** Response of a blocking request to a completion app. */
export const createCompletionResponseSchema = () =>
	z.looseObject({
		event: z.string(),
		task_id: z.string(),
		id: z.string(),
		message_id: z.string(),
		mode: z.string(),
		answer: z.string(),
		metadata: values,
		created_at: timestamp,
	});

/**
 * Response of a blocking chat turn. If the turn is waiting for input, it has the event `workflow_paused`, with that event's data in `data`.
 */
export const createChatResponseSchema = () => createCompletionResponseSchema().extend({ conversation_id: z.string() });
export type ChatResponse = z.infer<ReturnType<typeof createChatResponseSchema>>;

/**
 * Event of a streamed chat turn. `message` has a chunk of the answer, and `message_replace` has the whole new answer. `message_end` ends
 * the turn, and `workflow_paused` pauses it. Chatflows send their run's events (events.ts) in between.
 */
export type ChatEvent =
	| {
			event: 'message' | 'message_replace';
			task_id: string;
			message_id: string;
			conversation_id: string;
			answer: string;
			created_at: Timestamp;
	  }
	| { event: 'message_end'; task_id: string; message_id: string; conversation_id: string; metadata: Record<string, unknown> }
	| { event: 'error'; task_id?: string; message_id?: string; status: number; code: string; message: string }
	| { event: 'ping' }
	| { event: string & {}; [field: string]: unknown };

/**
 * Query of a conversation's messages (`GET /v1/agent/messages`), newest page first. `first_id` is the oldest message of the previous page.
 */
export const chatMessagesQuerySchema = z.object({
	model: z.string().min(1),
	user: z.string().min(1),
	conversation_id: z.string().min(1),
	first_id: z.string().min(1).optional(),
	limit: createIntegerSchema({ from: 1, to: 100 }).default(20),
});
export type ChatMessagesQuery = z.input<typeof chatMessagesQuerySchema>;

/** A turn of a conversation: what the user asked and what the agent replied. */
const createChatMessageSchema = () =>
	z.looseObject({
		id: z.string(),
		conversation_id: z.string(),
		inputs: values,
		query: z.string(),
		answer: z.string(),
		status: z.string().exactOptional(),
		error: z.string().nullable().exactOptional(),
		created_at: timestamp,
	});
export type ChatMessage = z.infer<ReturnType<typeof createChatMessageSchema>>;

/** Page of messages, oldest first; `has_more` is true if older ones exist. */
export const createChatMessagePageSchema = () =>
	z.object({ limit: z.int(), has_more: z.boolean(), data: z.array(createChatMessageSchema()) });
export type ChatMessagePage = z.infer<ReturnType<typeof createChatMessagePageSchema>>;
