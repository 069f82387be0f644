import * as z from 'zod';
import { agentSecretsSchema } from '#contract/agents.ts';
import { chatMessagesQuerySchema, chatRequestSchema, completionRequestSchema } from '#contract/chat.ts';
import { conversationsQuerySchema, deleteConversationRequestSchema, renameConversationRequestSchema } from '#contract/conversations.ts';
import { debugCommandSchema, debugRequestSchema } from '#contract/debugging.ts';
import { formQuerySchema, formSubmissionSchema, runEventsQuerySchema } from '#contract/humanInput.ts';
import { embeddingsRequestSchema } from '#contract/openai/embeddings.ts';
import { responsesRequestSchema } from '#contract/openai/responses.ts';
import { textCompletionRequestSchema } from '#contract/openai/textCompletions.ts';
import { completionsRequestSchema } from '#contract/text/completions.ts';
import { generateContentRequestSchema } from '#contract/text/content.ts';
import { batchEmbedContentsRequestSchema, embedContentRequestSchema } from '#contract/text/contentEmbeddings.ts';
import { messagesRequestSchema } from '#contract/text/messages.ts';
import { textCallsQuerySchema, usageQuerySchema } from '#contract/text/textCalls.ts';
import { stopRequestSchema, workflowLogsQuerySchema, workflowRunRequestSchema } from '#contract/workflows.ts';
import { attachRequestSchema, checkRequestSchema } from '../routes/agents.ts';
import { agentQuerySchema } from '../routes/difyInfo.ts';
import { agentChatRequestSchema } from '../routes/openai/agentChat.ts';
import { responseQuerySchema } from '../routes/openai/responses.ts';
import { agentResponseSchema } from '../routes/openai/responsesRequest.ts';
import { draftRunRequestSchema, runDetailQuerySchema } from '../routes/workflows.ts';

import {
	agentAnswer,
	agentsAnswer,
	batchEmbedContentsAnswer,
	chatAnswer,
	chatMessagesAnswer,
	checkAnswer,
	completionMessageAnswer,
	completionsAnswer,
	contentAnswer,
	contentCountAnswer,
	contentModelAnswer,
	contentModelsAnswer,
	conversationAnswer,
	conversationsAnswer,
	datasetAnswer,
	datasetsAnswer,
	debugAnswer,
	descriptionAnswer,
	embedContentAnswer,
	formAnswer,
	formTakenAnswer,
	healthAnswer,
	infoAnswer,
	logsAnswer,
	messagesAnswer,
	messagesCountAnswer,
	messagesModelAnswer,
	messagesModelsAnswer,
	metaAnswer,
	modelCacheAnswer,
	parametersAnswer,
	publishedAnswer,
	resultAnswer,
	rootAnswer,
	runDetailAnswer,
	textCallAnswer,
	textCallsAnswer,
	uploadAnswer,
	usageAnswer,
	workflowAnswer,
} from './answers.ts';
import { chatCompletionAnswer, embeddingsAnswer, textCompletionAnswer } from './openAiAnswers.ts';
import { responseAnswer, responseCompactedAnswer, responseDeletedAnswer, responseTokensAnswer } from './responseAnswers.ts';

/** What the description of the service says of one operation. */
export interface OperationNotes {
	readonly summary: string;
	readonly body?: z.ZodType;
	readonly query?: z.ZodType;
	/** What it answers where it does not answer with a stream; `bytes` for those of a file. */
	readonly answer?: z.ZodType | 'bytes';
	/** Whether it answers with a stream: always, or where the body asks for it. */
	readonly stream?: 'always' | 'on demand';
}

/** A message of JSON-RPC; MCP says what stands in it. */
const rpcBody = z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string(), id: z.union([z.string(), z.number()]).optional() });

/** Notes by method and path, as the routes have them. */
export const operations: Readonly<Record<string, OperationNotes>> = {
	'GET /': { summary: 'Names the service and the path of this description. Needs no key.', answer: rootAnswer },
	'GET /healthz': { summary: 'Says that the service runs. Needs no key.', answer: healthAnswer },
	'GET /openapi.json': { summary: 'This description. Needs no key.', answer: descriptionAnswer },

	'POST /mcp': { summary: 'Agents as tools of MCP clients, 2026-07-28 and sessions of before.', body: rpcBody, stream: 'always' },
	'GET /mcp': { summary: 'What an MCP session wants to hear of: changes of its tools.', stream: 'always' },
	'DELETE /mcp': { summary: 'Ends an MCP session.', stream: 'always' },

	'POST /v1/agent/workflows/run': {
		summary: 'Execute workflow (A1).',
		answer: workflowAnswer,
		body: workflowRunRequestSchema,
		stream: 'on demand',
	},
	'GET /v1/agent/workflows/run/{id}': { summary: 'Get workflow run detail (A2).', answer: runDetailAnswer, query: runDetailQuerySchema },
	'POST /v1/agent/workflows/tasks/{task}/stop': { summary: 'Stop workflow (A3).', answer: resultAnswer, body: stopRequestSchema },
	'GET /v1/agent/workflows/logs': { summary: 'Get workflow logs (A4).', answer: logsAnswer, query: workflowLogsQuerySchema },
	'DELETE /v1/agent/conversations/{id}': {
		summary: 'Delete conversation (B1).',
		answer: resultAnswer,
		body: deleteConversationRequestSchema,
	},
	'GET /v1/agent/conversations': { summary: 'Get conversations (B2).', answer: conversationsAnswer, query: conversationsQuerySchema },
	'POST /v1/agent/conversations/{id}/name': {
		summary: 'Rename conversation (B3).',
		answer: conversationAnswer,
		body: renameConversationRequestSchema,
	},
	'POST /v1/messages': { summary: 'Messages (C1).', answer: messagesAnswer, body: messagesRequestSchema, stream: 'on demand' },
	'POST /v1/complete': { summary: 'Completions (D1).', answer: completionsAnswer, body: completionsRequestSchema, stream: 'on demand' },
	'POST /v1beta/models/{model}:generateContent': {
		summary: 'Generate content (E1).',
		answer: contentAnswer,
		body: generateContentRequestSchema,
	},
	'POST /v1beta/models/{model}:streamGenerateContent': {
		summary: 'Stream generate content (E2).',
		body: generateContentRequestSchema,
		stream: 'always',
	},

	'GET /v1/agent/agents': { summary: 'Agents of this service.', answer: agentsAnswer },
	'POST /v1/agent/agents/{name}/publish': { summary: "Publish an agent's file as it is now.", answer: agentAnswer },
	'POST /v1/agent/agents/{name}/unpublish': { summary: "Take an agent's published version back.", answer: agentAnswer },
	'POST /v1/agent/agents/{name}/check': {
		summary: 'Say what is wrong with the text of an agent file.',
		answer: checkAnswer,
		body: checkRequestSchema,
	},
	'POST /v1/agent/agents/{name}/secrets': {
		summary: "Give values for the secrets that an agent's file leaves open, for as long as this process lives.",
		answer: resultAnswer,
		body: agentSecretsSchema,
	},
	'GET /v1/agent/agents/{name}/published': { summary: "The text of an agent's published version.", answer: publishedAnswer },
	'GET /v1/agent/text-calls': {
		summary: 'The request log: calls of text generation, newest first.',
		answer: textCallsAnswer,
		query: textCallsQuerySchema,
	},
	'GET /v1/agent/text-calls/{id}': { summary: 'What was sent and answered in one call, where bodies are kept.', answer: textCallAnswer },
	'GET /v1/agent/usage': { summary: 'Calls, tokens and money by day, model or agent.', answer: usageAnswer, query: usageQuerySchema },
	'GET /v1/agent/model-cache': { summary: 'How much the cache of replies holds.', answer: modelCacheAnswer },
	'DELETE /v1/agent/model-cache': { summary: 'Clear the cache of replies; answers what it held.', answer: modelCacheAnswer },
	'GET /v1/agent/knowledge': { summary: 'Datasets that agents search, and how far each is indexed.', answer: datasetsAnswer },
	'POST /v1/agent/knowledge/{id}/reindex': { summary: "Read all of a dataset's folder again.", answer: datasetAnswer },
	'POST /v1/agent/attach': { summary: 'Serve agents folders while this request is open.', body: attachRequestSchema, stream: 'always' },
	'POST /v1/agent/workflows/draft/run': {
		summary: "Run an agent's file as it is now, without publishing it.",
		answer: workflowAnswer,
		body: draftRunRequestSchema,
		stream: 'on demand',
	},
	'POST /v1/agent/workflows/debug': {
		summary:
			"Debug a run of an agent's file as it is now: events of the session come between those of the run, which is stopped when the stream is closed.",
		body: debugRequestSchema,
		stream: 'always',
	},
	'POST /v1/agent/workflows/debug/{session_id}': {
		summary: 'A command of a debug session, with the key that its stream told in the header x-debug-key.',
		answer: debugAnswer,
		body: debugCommandSchema,
	},
	'GET /v1/agent/workflows/run/{id}/events': {
		summary: 'Events of a run from its first one on, those to come too, until it ends or waits for a person.',
		query: runEventsQuerySchema,
		stream: 'always',
	},
	'GET /v1/agent/workflow/{id}/events': {
		summary: "Events of a run after its last pause, those to come too; of a chat in its form. Dify's clients follow a run by it.",
		query: runEventsQuerySchema,
		stream: 'always',
	},
	'GET /v1/agent/form/human_input/{token}': { summary: 'A form that a run waits for.', answer: formAnswer, query: formQuerySchema },
	'POST /v1/agent/form/human_input/{token}': {
		summary: 'Answer a form; its run goes on.',
		answer: formTakenAnswer,
		body: formSubmissionSchema,
	},
	'POST /v1/agent/chat-messages': { summary: 'Chat with an agent.', answer: chatAnswer, body: chatRequestSchema, stream: 'on demand' },
	'POST /v1/agent/chat-messages/{task}/stop': { summary: 'Stop a reply.', answer: resultAnswer, body: stopRequestSchema },
	'POST /v1/agent/completion-messages': {
		summary: 'A text of a completion app.',
		answer: completionMessageAnswer,
		body: completionRequestSchema,
		stream: 'on demand',
	},
	'POST /v1/agent/completion-messages/{task}/stop': { summary: 'Stop a text.', answer: resultAnswer, body: stopRequestSchema },
	'GET /v1/agent/messages': { summary: 'Messages of a conversation.', answer: chatMessagesAnswer, query: chatMessagesQuerySchema },
	'POST /v1/agent/files/upload': { summary: 'Upload a file for runs: a multipart form with user and file.', answer: uploadAnswer },
	'GET /v1/agent/files/{id}/preview': { summary: 'The bytes of an uploaded file, or of one that a node was sent.', answer: 'bytes' },
	'GET /v1/agent/parameters': { summary: "An agent's input form, for Dify's clients.", answer: parametersAnswer, query: agentQuerySchema },
	'GET /v1/agent/info': { summary: "An agent's name and mode, for Dify's clients.", answer: infoAnswer, query: agentQuerySchema },
	'GET /v1/agent/meta': { summary: "Icons of an agent's tools, for Dify's clients.", answer: metaAnswer },

	'POST /v1/messages/count_tokens': {
		summary: 'Count the tokens of a messages request.',
		answer: messagesCountAnswer,
		body: messagesRequestSchema,
	},
	'POST /v1/chat/completions': {
		summary: "Chat completions, in OpenAI's form: passed on, translated, or a run of an agent (agent/NAME).",
		answer: chatCompletionAnswer,
		body: agentChatRequestSchema,
		stream: 'on demand',
	},
	'POST /v1/completions': {
		summary: "Completions, in OpenAI's older form.",
		answer: textCompletionAnswer,
		body: textCompletionRequestSchema,
		stream: 'on demand',
	},
	'POST /v1/responses': {
		summary: "Responses, in OpenAI's form: passed on, translated, or a run of an agent (agent/NAME). Kept unless store is false.",
		answer: responseAnswer,
		body: agentResponseSchema,
		stream: 'on demand',
	},
	'POST /v1/responses/input_tokens': {
		summary: 'Count the input tokens of a request for a response.',
		answer: responseTokensAnswer,
		body: responsesRequestSchema,
	},
	'POST /v1/responses/compact': {
		summary: 'Compact a conversation, on a route whose service has it ("responses": true); else 404.',
		answer: responseCompactedAnswer,
		body: responsesRequestSchema,
	},
	'GET /v1/responses/{id}': { summary: 'A response that is kept.', answer: responseAnswer, query: responseQuerySchema },
	'DELETE /v1/responses/{id}': { summary: 'Delete a response that is kept.', answer: responseDeletedAnswer },
	'POST /v1/embeddings': { summary: "Embeddings, in OpenAI's form.", answer: embeddingsAnswer, body: embeddingsRequestSchema },
	'GET /v1/models': {
		summary: "Models for C and D, and for OpenAI's endpoints, each with the fields of both.",
		answer: messagesModelsAnswer,
	},
	'GET /v1/models/{model}': { summary: "One model for C and D, and for OpenAI's endpoints.", answer: messagesModelAnswer },
	'POST /v1beta/models/{model}:countTokens': { summary: 'Count the tokens of a content-generation request.', answer: contentCountAnswer },
	'POST /v1beta/models/{model}:embedContent': {
		summary: "An embedding, in Gemini's form.",
		answer: embedContentAnswer,
		body: embedContentRequestSchema,
	},
	'POST /v1beta/models/{model}:batchEmbedContents': {
		summary: "Embeddings, in Gemini's form.",
		answer: batchEmbedContentsAnswer,
		body: batchEmbedContentsRequestSchema,
	},
	'GET /v1beta/models': { summary: 'Models for E.', answer: contentModelsAnswer },
	'GET /v1beta/models/{model}': { summary: 'One model for E.', answer: contentModelAnswer },
};
