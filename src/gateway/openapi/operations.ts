import type * as z from 'zod';
import { chatMessagesQuerySchema, chatRequestSchema } from '../../protocol/chat.ts';
import { completionsRequestSchema } from '../../protocol/completions.ts';
import { generateContentRequestSchema } from '../../protocol/content.ts';
import {
	conversationsQuerySchema,
	deleteConversationRequestSchema,
	renameConversationRequestSchema,
} from '../../protocol/conversations.ts';
import { messagesRequestSchema } from '../../protocol/messages.ts';
import { stopRequestSchema, workflowLogsQuerySchema, workflowRunRequestSchema } from '../../protocol/workflows.ts';
import { attachRequestSchema, checkRequestSchema } from '../routes/agents.ts';
import { agentQuerySchema } from '../routes/difyInfo.ts';
import { draftRunRequestSchema, runDetailQuerySchema } from '../routes/workflows.ts';

/** What the description of the service says of one operation. */
export interface OperationNotes {
	readonly summary: string;
	readonly body?: z.ZodType;
	readonly query?: z.ZodType;
	/** Whether it answers with a stream: always, or where the body asks for it. */
	readonly stream?: 'always' | 'on demand';
}

/** Notes by method and path, as the routes have them. */
export const operations: Readonly<Record<string, OperationNotes>> = {
	'GET /healthz': { summary: 'Says that the service runs. Needs no key.' },
	'GET /openapi.json': { summary: 'This description. Needs no key.' },

	'POST /v1/agent/workflows/run': { summary: 'Execute workflow (A1).', body: workflowRunRequestSchema, stream: 'on demand' },
	'GET /v1/agent/workflows/run/{id}': { summary: 'Get workflow run detail (A2).', query: runDetailQuerySchema },
	'POST /v1/agent/workflows/tasks/{task}/stop': { summary: 'Stop workflow (A3).', body: stopRequestSchema },
	'GET /v1/agent/workflows/logs': { summary: 'Get workflow logs (A4).', query: workflowLogsQuerySchema },
	'DELETE /v1/agent/conversations/{id}': { summary: 'Delete conversation (B1).', body: deleteConversationRequestSchema },
	'GET /v1/agent/conversations': { summary: 'Get conversations (B2).', query: conversationsQuerySchema },
	'POST /v1/agent/conversations/{id}/name': { summary: 'Rename conversation (B3).', body: renameConversationRequestSchema },
	'POST /v1/messages': { summary: 'Messages (C1).', body: messagesRequestSchema, stream: 'on demand' },
	'POST /v1/complete': { summary: 'Completions (D1).', body: completionsRequestSchema, stream: 'on demand' },
	'POST /v1beta/models/{model}:generateContent': { summary: 'Generate content (E1).', body: generateContentRequestSchema },
	'POST /v1beta/models/{model}:streamGenerateContent': {
		summary: 'Stream generate content (E2).',
		body: generateContentRequestSchema,
		stream: 'always',
	},

	'GET /v1/agent/agents': { summary: 'Agents of this service.' },
	'POST /v1/agent/agents/{name}/publish': { summary: "Publish an agent's file as it is now." },
	'POST /v1/agent/agents/{name}/unpublish': { summary: "Take an agent's published version back." },
	'POST /v1/agent/agents/{name}/check': { summary: 'Say what is wrong with the text of an agent file.', body: checkRequestSchema },
	'GET /v1/agent/agents/{name}/published': { summary: "The text of an agent's published version." },
	'POST /v1/agent/attach': { summary: 'Serve agents folders while this request is open.', body: attachRequestSchema, stream: 'always' },
	'POST /v1/agent/workflows/draft/run': {
		summary: "Run an agent's file as it is now, without publishing it.",
		body: draftRunRequestSchema,
		stream: 'on demand',
	},
	'GET /v1/agent/workflows/run/{id}/events': {
		summary: 'Events of a run from its first one on, those to come too.',
		query: runDetailQuerySchema,
		stream: 'always',
	},
	'POST /v1/agent/chat-messages': { summary: 'Chat with an agent.', body: chatRequestSchema, stream: 'on demand' },
	'POST /v1/agent/chat-messages/{task}/stop': { summary: 'Stop a reply.', body: stopRequestSchema },
	'GET /v1/agent/messages': { summary: 'Messages of a conversation.', query: chatMessagesQuerySchema },
	'POST /v1/agent/files/upload': { summary: 'Upload a file for runs: a multipart form with user and file.' },
	'GET /v1/agent/parameters': { summary: "An agent's input form, for Dify's clients.", query: agentQuerySchema },
	'GET /v1/agent/info': { summary: "An agent's name and mode, for Dify's clients.", query: agentQuerySchema },
	'GET /v1/agent/meta': { summary: "Icons of an agent's tools, for Dify's clients." },

	'POST /v1/messages/count_tokens': { summary: 'Count the tokens of a messages request.', body: messagesRequestSchema },
	'GET /v1/models': { summary: 'Models for C and D.' },
	'GET /v1/models/{model}': { summary: 'One model for C and D.' },
	'POST /v1beta/models/{model}:countTokens': { summary: 'Count the tokens of a content-generation request.' },
	'GET /v1beta/models': { summary: 'Models for E.' },
	'GET /v1beta/models/{model}': { summary: 'One model for E.' },
};
