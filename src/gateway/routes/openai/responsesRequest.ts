import type * as z from 'zod';
import { encryptedReasoning, type ResponsesRequest, type responsesRequestSchema } from '#contract/openai/responses.ts';
import { checkOpenAiBody, createFieldError } from './openAiRequest.ts';

/**
 * Checks the body of a request for a response. Throws an error (400) that names the invalid field, or a field that needs state stored by
 * OpenAI.
 */
export function readResponsesRequest<S extends typeof responsesRequestSchema>(schema: S, body: Buffer): z.output<S> {
	const request = checkOpenAiBody(schema, body);
	refuseOpenAiState(request);
	return request;
}

/** True if reasoning is included in full. Callers that store nothing here get everything that they have to send back. */
export function shouldShowEncrypted({ include = [], store }: ResponsesRequest): boolean {
	return store === false || include.includes(encryptedReasoning);
}

function refuseOpenAiState(request: ResponsesRequest): void {
	if (request.background) {
		throw createFieldError('background', "Background responses aren't supported here. Omit 'background' and stream the response.");
	}
	for (const [field, instead] of Object.entries(othersState)) {
		if (request[field] !== undefined) {
			throw createFieldError(field, `'${field}' isn't supported here. ${instead}`);
		}
	}
}

/** Fields that refer to state stored by OpenAI, each with an alternative. */
const othersState: Readonly<Record<string, string>> = {
	conversation: "Continue a response with 'previous_response_id', or send the whole conversation as 'input'.",
	prompt: "Send its text as 'instructions' and 'input'.",
};
