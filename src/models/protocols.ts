import { isRecord } from '#base/records/plainValues.ts';
import { createErrorBody, createOpenAiError } from '#contract/faults/errorBody.ts';
import type { PassthroughProtocol } from './passthrough.ts';

/** Protocol of messages and completions (C and D), for callers of Anthropic's API (wire facts 2.2 and 2.3). */
export const messagesProtocol: PassthroughProtocol = {
	isErrorBody: body => isRecord(body) && body['type'] === 'error' && isRecord(body['error']) && typeof body['error']['type'] === 'string',
	formatStreamFault: fault => {
		const { type, error } = createErrorBody('messages', fault, '') as { type: string; error: unknown };
		return `event: error\ndata: ${JSON.stringify({ type, error })}\n\n`;
	},
};

/** Protocol of content requests (E), for callers of the Gemini API. Its streams can end with an error as data (wire facts 4.2 and 4.3). */
export const contentProtocol: PassthroughProtocol = {
	isErrorBody: body => {
		const [value] = Array.isArray(body) ? body : [body];
		return isRecord(value) && isRecord(value['error']) && typeof value['error']['code'] === 'number';
	},
	formatStreamFault: fault => `data: ${JSON.stringify(createErrorBody('content', fault, ''))}\r\n\r\n`,
};

/**
 * Protocol of chat completions, completions and embeddings, for callers of OpenAI's API. Its SDKs throw on `error` data and read until
 * `[DONE]`.
 */
export const openAiProtocol: PassthroughProtocol = {
	isErrorBody: body => isRecord(body) && isRecord(body['error']) && typeof body['error']['message'] === 'string',
	formatStreamFault: fault => `data: ${JSON.stringify(createOpenAiError(fault))}\n\ndata: [DONE]\n\n`,
};

/** Protocol of responses, whose streams report errors as separate events. */
export const responsesProtocol: PassthroughProtocol = {
	isErrorBody: openAiProtocol.isErrorBody,
	formatStreamFault: fault => {
		const { message, type, code, param } = createOpenAiError(fault).error;
		return `event: error\ndata: ${JSON.stringify({ type: 'error', code: code ?? type, message, param })}\n\ndata: [DONE]\n\n`;
	},
};
