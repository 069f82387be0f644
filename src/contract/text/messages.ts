import * as z from 'zod';
import { createIntegerSchema, createNumberSchema } from '../ranges.ts';

/** Block of a message's content: `text`, `image`, `tool_use`, `tool_result` or others (wire facts 2.1). */
const contentBlockSchema = z.looseObject({ type: z.string().min(1) });
export type ContentBlock = z.infer<typeof contentBlockSchema>;

/**
 * A message of a conversation (C). In the contract, roles are `user` and `assistant` and the content is a string; real services also accept
 * blocks (wire facts 2.0).
 */
const messageSchema = z.looseObject({
	role: z.enum(['user', 'assistant', 'system']),
	content: z.union([z.string(), z.array(contentBlockSchema)]),
});
export type Message = z.infer<typeof messageSchema>;

/** A tool that the model may call. The contract allows any object; real services require a name for the caller's tools (wire facts 2.1). */
export const toolSchema = z.looseObject({
	name: z.string().optional(),
	description: z.string().optional(),
	input_schema: z.record(z.string(), z.unknown()).optional(),
});
export type Tool = z.infer<typeof toolSchema>;

/** Body of a messages request (C1) with the contract's limits. The contract's `tool_choices` is `tool_choice` in real services. */
export const messagesRequestSchema = z.looseObject({
	model: z.string().min(1),
	messages: z.array(messageSchema).min(1),
	max_tokens: createIntegerSchema({ from: 1 }).optional(),
	metadata: z.record(z.string(), z.unknown()).optional(),
	stop_sequences: z.array(z.string()).optional(),
	stream: z.boolean().optional(),
	system: z.union([z.string(), z.array(contentBlockSchema)]).optional(),
	temperature: createNumberSchema({ from: 0, to: 1 }).optional(),
	tool_choices: z.looseObject({ type: z.string() }).optional(),
	tool_choice: z.looseObject({ type: z.string() }).optional(),
	tools: z.array(toolSchema).optional(),
	top_k: createNumberSchema({ above: 0 }).optional(),
	top_p: createNumberSchema({ above: 0, below: 1 }).optional(),
});
export type MessagesRequest = z.infer<typeof messagesRequestSchema>;

/** Tokens of a reply; newer services add cache counts. */
const createMessagesUsageSchema = () => z.looseObject({ input_tokens: z.int().exactOptional(), output_tokens: z.int().exactOptional() });
export type MessagesUsage = z.infer<ReturnType<typeof createMessagesUsageSchema>>;

/** Response of a messages request (C1). The contract's `stop_sequences` is `stop_sequence` in real services. */
export const createMessagesResponseSchema = () =>
	z.looseObject({
		id: z.string(),
		type: z.literal('message'),
		role: z.literal('assistant'),
		model: z.string(),
		content: z.array(z.looseObject({ type: z.string(), text: z.string().exactOptional() })),
		stop_reason: z.string().nullable(),
		stop_sequence: z.string().nullable().exactOptional(),
		stop_sequences: z.string().nullable().exactOptional(),
		usage: createMessagesUsageSchema(),
	});
export type MessagesResponse = z.infer<ReturnType<typeof createMessagesResponseSchema>>;

/** Event of a streamed reply to a messages request (C1), named by its `type` (wire facts 2.2). Unknown types pass through. */
export type MessagesStreamEvent =
	| { type: 'message_start'; message: MessagesResponse }
	| { type: 'content_block_start'; index: number; content_block: ContentBlock }
	| { type: 'content_block_delta'; index: number; delta: { type: string; [field: string]: unknown } }
	| { type: 'content_block_stop'; index: number }
	| {
			type: 'message_delta';
			delta: { stop_reason?: string | null; stop_sequence?: string | null; [field: string]: unknown };
			usage?: MessagesUsage;
	  }
	| { type: 'message_stop' }
	| { type: 'ping' }
	| { type: 'error'; error: { type: string; message: string } }
	| { type: string & {}; [field: string]: unknown };
