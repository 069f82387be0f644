import * as z from 'zod';
import { chatMessagesQuerySchema, chatRequestSchema } from '../protocol/chat.ts';
import { completionsRequestSchema } from '../protocol/completions.ts';
import { generateContentRequestSchema } from '../protocol/content.ts';
import { conversationsQuerySchema, deleteConversationRequestSchema, renameConversationRequestSchema } from '../protocol/conversations.ts';
import { messagesRequestSchema } from '../protocol/messages.ts';
import { stopRequestSchema, workflowLogsQuerySchema, workflowRunRequestSchema } from '../protocol/workflows.ts';
import type { Operation } from './operations.ts';

/** A request that breaks a rule: the field as a path, and what it must be. */
export interface LimitFault {
	readonly field: string;
	readonly message: string;
}

const agentName = z.object({ model: z.string().min(1) });

/** What the contract allows, by operation. In a chunk of its own: zod takes 10 ms to load, and nothing needs it before the first request. */
const limits: Readonly<Partial<Record<Operation, { readonly query?: z.ZodType; readonly body?: z.ZodType }>>> = {
	runWorkflow: { body: workflowRunRequestSchema },
	runDraft: { body: workflowRunRequestSchema },
	getRun: { query: agentName },
	agentParameters: { query: agentName },
	followRun: { query: z.object({ model: z.string().min(1), user: z.string().min(1) }) },
	stopRun: { body: stopRequestSchema },
	stopChatMessage: { body: stopRequestSchema },
	listLogs: { query: workflowLogsQuerySchema },
	listConversations: { query: conversationsQuerySchema },
	renameConversation: { body: renameConversationRequestSchema },
	deleteConversation: { body: deleteConversationRequestSchema },
	createMessage: { body: messagesRequestSchema },
	countMessagesTokens: { body: messagesRequestSchema },
	createCompletion: { body: completionsRequestSchema },
	generateContent: { body: generateContentRequestSchema },
	streamGenerateContent: { body: generateContentRequestSchema },
	countContentTokens: { body: generateContentRequestSchema },
	createChatMessage: { body: chatRequestSchema },
	listChatMessages: { query: chatMessagesQuerySchema },
	uploadFile: { body: z.looseObject({ user: z.string().min(1), model: z.string().min(1).optional() }) },
};

/** The query or body of an operation with its defaults filled in, or what is wrong with it. */
export function checkLimits(
	operation: Operation,
	part: 'query' | 'body',
	value: unknown,
): { value: Record<string, unknown> } | { fault: LimitFault } {
	const schema = limits[operation]?.[part];
	const result = schema?.safeParse(value);
	if (result === undefined || result.success) {
		return { value: (result?.data ?? value) as Record<string, unknown> };
	}
	const issue = result.error.issues[0]!;
	return { fault: { field: issue.path.map(String).join('.'), message: issue.message } };
}
