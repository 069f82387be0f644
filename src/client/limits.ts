import * as z from 'zod';
import { agentSecretsSchema } from '#contract/agents.ts';
import { chatMessagesQuerySchema, chatRequestSchema } from '#contract/chat.ts';
import { conversationsQuerySchema, deleteConversationRequestSchema, renameConversationRequestSchema } from '#contract/conversations.ts';
import { debugCommandSchema, debugRequestSchema } from '#contract/debugging.ts';
import {
	annotationRequestSchema,
	feedbackRequestSchema,
	pageQuerySchema,
	speechRequestSchema,
	variableRequestSchema,
	variablesQuerySchema,
} from '#contract/dify/appFeatures.ts';
import { formQuerySchema, formSubmissionSchema } from '#contract/humanInput.ts';
import { problemOf, wordsOf } from '#contract/problems.ts';
import { completionsRequestSchema } from '#contract/text/completions.ts';
import { generateContentRequestSchema } from '#contract/text/content.ts';
import { messagesRequestSchema } from '#contract/text/messages.ts';
import { stopRequestSchema, workflowLogsQuerySchema, workflowRunRequestSchema } from '#contract/workflows.ts';
import type { Operation } from './operations.ts';

/** A request that breaks a rule: the field as a path, and what it must be. */
export interface LimitFault {
	readonly field: string;
	readonly message: string;
}

const agentName = z.object({ model: z.string().min(1) });
const owned = z.looseObject({ user: z.string().min(1) });
const following = z.looseObject({ model: z.string().min(1), user: z.string().min(1).optional() });

/** What the contract allows, by operation. In a chunk of its own: zod takes 10 ms to load, and nothing needs it before the first request. */
const limits: Readonly<Partial<Record<Operation, { readonly query?: z.ZodType; readonly body?: z.ZodType }>>> = {
	runWorkflow: { body: workflowRunRequestSchema },
	runDraft: { body: workflowRunRequestSchema },
	debugRun: { body: debugRequestSchema },
	commandDebugger: { body: debugCommandSchema },
	getRun: { query: agentName },
	agentParameters: { query: agentName },
	followRun: { query: following },
	followChatMessage: { query: following },
	giveAgentSecrets: { body: agentSecretsSchema },
	getForm: { query: formQuerySchema },
	submitForm: { body: formSubmissionSchema },
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
	rateMessage: { body: feedbackRequestSchema },
	listFeedback: { query: pageQuerySchema },
	suggestedQuestions: { query: owned },
	listAnnotations: { query: pageQuerySchema },
	createAnnotation: { body: annotationRequestSchema },
	updateAnnotation: { body: annotationRequestSchema },
	audioToText: { body: owned },
	textToAudio: { body: speechRequestSchema },
	previewFile: { query: owned },
	listVariables: { query: variablesQuerySchema },
	setVariable: { body: variableRequestSchema },
	uploadFile: { body: z.looseObject({ user: z.string().min(1), model: z.string().min(1).optional() }) },
};

/** The query or body of an operation with its defaults filled in, or what is wrong with it. */
export function checkLimits(
	operation: Operation,
	part: 'query' | 'body',
	value: unknown,
): { value: Record<string, unknown> } | { fault: LimitFault } {
	const schema = limits[operation]?.[part];
	const result = schema?.safeParse(value, { error: wordsOf });
	if (result === undefined || result.success) {
		return { value: (result?.data ?? value) as Record<string, unknown> };
	}
	const { field, message } = problemOf(result.error, value);
	return { fault: { field, message } };
}
