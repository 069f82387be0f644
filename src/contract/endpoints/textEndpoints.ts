import * as z from 'zod';
import { agentChatRequestSchema, createChatCompletionSchema } from '../openai/chatCompletions.ts';
import { completionsRequestSchema, createCompletionsResponseSchema } from '../text/completions.ts';
import { createGenerateContentResponseSchema, generateContentRequestSchema } from '../text/content.ts';
import {
	batchEmbedContentsRequestSchema,
	createBatchEmbedContentsResponseSchema,
	createEmbedContentResponseSchema,
	embedContentRequestSchema,
} from '../text/contentEmbeddings.ts';
import { createMessagesResponseSchema, messagesRequestSchema } from '../text/messages.ts';
import {
	createContentModelPageSchema,
	createContentModelSchema,
	createContentTokenCountSchema,
	createMessagesModelPageSchema,
	createMessagesTokenCountSchema,
} from '../text/models.ts';
import { defineEndpoints } from './endpoint.ts';

const messages = defineEndpoints('messages');
const content = defineEndpoints('content');
const openAi = defineEndpoints('openai');

/** Size limit in bytes of a content request (E), including files. This is Google's limit (wire facts 4.1). */
const bodyLimit = 100 * 1024 * 1024;

/**
 * Text generation: messages (C), completions (D), content (E), chat completions, and models, which OpenAI and Anthropic clients request at
 * the same path.
 */
export const textEndpoints = {
	createMessage: messages('POST', '/v1/messages', {
		summary: 'Messages (C1).',
		body: messagesRequestSchema,
		response: createMessagesResponseSchema,
		stream: 'on demand',
	}),
	countMessagesTokens: messages('POST', '/v1/messages/count_tokens', {
		summary: 'Count the tokens of a messages request.',
		body: messagesRequestSchema,
		response: createMessagesTokenCountSchema,
	}),
	createCompletion: messages('POST', '/v1/complete', {
		summary: 'Completions (D1).',
		body: completionsRequestSchema,
		response: createCompletionsResponseSchema,
		stream: 'on demand',
	}),

	generateContent: content('POST', '/v1beta/models/{model+}:generateContent', {
		summary: 'Generate content (E1).',
		body: generateContentRequestSchema,
		response: createGenerateContentResponseSchema,
		works: true,
		bodyLimit,
	}),
	streamGenerateContent: content('POST', '/v1beta/models/{model+}:streamGenerateContent', {
		summary: 'Stream generate content (E2).',
		body: generateContentRequestSchema,
		stream: 'always',
		bodyLimit,
	}),
	countContentTokens: content('POST', '/v1beta/models/{model+}:countTokens', {
		summary: 'Count the tokens of a content-generation request.',
		sent: generateContentRequestSchema,
		response: createContentTokenCountSchema,
		bodyLimit,
	}),
	embedContent: content('POST', '/v1beta/models/{model+}:embedContent', {
		summary: 'Create an embedding (Gemini API).',
		body: embedContentRequestSchema,
		response: createEmbedContentResponseSchema,
		bodyLimit,
	}),
	batchEmbedContents: content('POST', '/v1beta/models/{model+}:batchEmbedContents', {
		summary: 'Create embeddings (Gemini API).',
		body: batchEmbedContentsRequestSchema,
		response: createBatchEmbedContentsResponseSchema,
		bodyLimit,
	}),
	listContentModels: content('GET', '/v1beta/models', {
		summary: 'List the models, for Gemini clients.',
		response: createContentModelPageSchema,
	}),
	getContentModel: content('GET', '/v1beta/models/{model+}', {
		summary: 'Get a model, for Gemini clients.',
		response: createContentModelSchema,
	}),

	chatCompletion: openAi('POST', '/v1/chat/completions', {
		summary: 'Create a chat completion (OpenAI API): forwarded, translated, or a run of an agent (agent/NAME).',
		body: agentChatRequestSchema,
		// other services have other limits
		sent: z.looseObject({}),
		response: createChatCompletionSchema,
		stream: 'on demand',
	}),
	listMessagesModels: openAi('GET', '/v1/models', {
		summary: 'List the models, for Anthropic and OpenAI clients. Each has the fields of both formats.',
		paths: { anthropic: '/v1/models', 'anthropic-compatible': '/v1/models' },
		response: createMessagesModelPageSchema,
	}),
};
