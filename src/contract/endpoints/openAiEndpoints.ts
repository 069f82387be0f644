import * as z from 'zod';
import { createEmbeddingsResponseSchema, embeddingsRequestSchema } from '../openai/embeddings.ts';
import { agentResponseSchema, createResponseObjectSchema, encryptedReasoning, responsesRequestSchema } from '../openai/responses.ts';
import { createTextCompletionSchema, textCompletionRequestSchema } from '../openai/textCompletions.ts';
import { createMessagesModelSchema } from '../text/models.ts';
import { defineEndpoints } from './endpoint.ts';

const openAi = defineEndpoints('openai');

/** OpenAI endpoints that only callers of the gateway use, separate from {@link endpoints} so that the client doesn't load them. */
export const openAiEndpoints = {
	createTextCompletion: openAi('POST', '/v1/completions', {
		summary: "Create a completion (OpenAI's legacy API).",
		body: textCompletionRequestSchema,
		response: createTextCompletionSchema,
		stream: 'on demand',
	}),
	createEmbeddings: openAi('POST', '/v1/embeddings', {
		summary: 'Create embeddings (OpenAI API).',
		body: embeddingsRequestSchema,
		response: createEmbeddingsResponseSchema,
	}),

	createResponse: openAi('POST', '/v1/responses', {
		summary: 'Create a response (OpenAI API): forwarded, translated, or a run of an agent (agent/NAME). Stored unless store is false.',
		body: agentResponseSchema,
		response: createResponseObjectSchema,
		stream: 'on demand',
	}),
	countResponseTokens: openAi('POST', '/v1/responses/input_tokens', {
		summary: 'Count the input tokens of a responses request.',
		body: responsesRequestSchema,
		response: () => z.object({ object: z.literal('response.input_tokens'), input_tokens: z.int() }),
	}),
	compactResponse: openAi('POST', '/v1/responses/compact', {
		summary: 'Compact a conversation. Only on routes whose service supports it ("responses": true); otherwise 404.',
		body: responsesRequestSchema,
		// the items to continue the conversation with
		response: () => z.object({ object: z.literal('response.compaction'), output: z.array(z.object({ type: z.string() })) }),
	}),
	getResponse: openAi('GET', '/v1/responses/{id}', {
		summary: 'Get a stored response.',
		// SDKs write the list as `include[]`, `include[0]` or plainly
		query: z.looseObject({
			include: z.enum([encryptedReasoning]).optional().describe('Includes encrypted reasoning that only the service can read.'),
		}),
		response: createResponseObjectSchema,
	}),
	deleteResponse: openAi('DELETE', '/v1/responses/{id}', {
		summary: 'Delete a stored response.',
		response: () => z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
	}),

	getMessagesModel: openAi('GET', '/v1/models/{model+}', {
		summary: 'Get a model, for Anthropic and OpenAI clients.',
		response: createMessagesModelSchema,
	}),
};
