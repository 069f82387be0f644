import * as z from 'zod';
import { createIntegerSchema, timestamp, values } from './ranges.ts';

/** Sort orders of the conversation list (B2). A minus sign means newest first. */
const conversationSorts = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;
export type ConversationSort = (typeof conversationSorts)[number];

/** Query of the conversation list (B2). `last_id` is the last conversation of the previous page; `limit` is 1 to 100, default 20. */
export const conversationsQuerySchema = z.object({
	model: z.string().min(1),
	user: z.string().min(1),
	last_id: z.string().min(1).optional(),
	limit: createIntegerSchema({ from: 1, to: 100 }).default(20),
	sort_by: z.enum(conversationSorts).default('-updated_at'),
});
export type ConversationsQuery = z.input<typeof conversationsQuerySchema>;

/** Conversation of an end user with an agent (contract B). `status` is `normal` in all known cases. */
export const createConversationSchema = () =>
	z.looseObject({
		id: z.string(),
		name: z.string(),
		inputs: values,
		status: z.string(),
		introduction: z.string(),
		created_at: timestamp,
		updated_at: timestamp.exactOptional(),
	});
export type Conversation = z.infer<ReturnType<typeof createConversationSchema>>;

/**
 * Response of the conversation list (B2). `limit` is the number of conversations returned in the contract, but the requested one in Dify
 * (wire facts 1.1).
 */
export const createConversationPageSchema = () =>
	z.object({ data: z.array(createConversationSchema()), has_more: z.boolean(), limit: z.int() });
export type ConversationPage = z.infer<ReturnType<typeof createConversationPageSchema>>;

/** Body of a request to delete a conversation (B1), sent with DELETE. */
export const deleteConversationRequestSchema = z.looseObject({ model: z.string().min(1), user: z.string().min(1) });
export type DeleteConversationRequest = z.infer<typeof deleteConversationRequestSchema>;

/** Body of a request to rename a conversation (B3): a `name`, or `auto_generate: true`, which takes precedence (Dify, wire facts 1.1). */
export const renameConversationRequestSchema = z
	.looseObject({
		model: z.string().min(1),
		user: z.string().min(1),
		name: z.string().optional(),
		auto_generate: z.boolean().optional(),
	})
	.refine(body => body.auto_generate === true || (body.name ?? '').trim() !== '', {
		path: ['name'],
		message: 'expected a name, or auto_generate: true',
	});
export type RenameConversationRequest = z.infer<typeof renameConversationRequestSchema>;
