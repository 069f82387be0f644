import type * as z from 'zod';
import { encryptedReasoning, type ResponsesRequest, type responsesRequestSchema } from '#contract/openai/responses.ts';
import { badField, checkOpenAiBody } from './openAiRequest.ts';

/** The body of a request for a response, checked against a schema. Throws a fault (400) that names the field, or what of OpenAI's own it builds on. */
export function readResponsesRequest<S extends typeof responsesRequestSchema>(schema: S, body: Buffer): z.output<S> {
	const request = checkOpenAiBody(schema, body);
	refuseOthersState(request);
	return request;
}

/** Whether thoughts are shown whole. A caller that has nothing kept gets all that it has to send back. */
export function showsEncrypted({ include = [], store }: ResponsesRequest): boolean {
	return store === false || include.includes(encryptedReasoning);
}

function refuseOthersState(request: ResponsesRequest): void {
	if (request.background) {
		throw badField('background', 'Responses are not made in the background here: leave background out, and stream the response.');
	}
	for (const [field, instead] of Object.entries(othersState)) {
		if (request[field] !== undefined) {
			throw badField(field, `${field} is not kept here: ${instead}.`);
		}
	}
}

/** What only OpenAI keeps, and what to do instead. */
const othersState: Readonly<Record<string, string>> = {
	conversation: 'go on from a response with previous_response_id, or send the whole conversation as input',
	prompt: 'send its text as instructions and input',
};
