import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { isRecord } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { createSchemaProblem, parseWithSchema } from '#contract/problems.ts';
import type { MessagesRequest } from '#contract/text/messages.ts';
import { providerVersion } from '#contract/versions.ts';
import { parseJson } from '../../server/parseJson.ts';

/** Checks the API version in the header `provider-version` (contract) or `anthropic-version`. Throws an error (400) if there is none. */
export function requireVersion({ headers }: IncomingMessage): void {
	const version = headers['anthropic-version'] ?? headers['provider-version'];
	if (typeof version !== 'string' || version === '') {
		throw new ServiceFault(400, 'anthropic-version: header is required');
	}
	// skip date parsing for the version that nearly all clients send
	if (version !== providerVersion && !isApiVersion(version)) {
		throw new ServiceFault(400, `anthropic-version: "${version.slice(0, 50)}" is not a valid version`);
	}
}

/**
 * Checks a body of a messages or completions request (C and D) against its schema, treating null fields as absent. Throws an error (400) in
 * the wording of Anthropic's API: the field, then the problem.
 */
export function checkMessagesBody<S extends z.ZodType>(schema: S, body: Buffer): z.output<S> {
	const json = parseJson(body, new ServiceFault(400, 'The request body is not valid JSON'));
	if (!isRecord(json)) {
		throw createBodyError();
	}
	const value = Object.fromEntries(Object.entries(json).filter(([, field]) => field !== null));
	const result = parseWithSchema(schema, value);
	if (result.success) {
		return result.data;
	}
	const { field, message, isMissing, isTooShort } = createSchemaProblem(result.error, value);
	if (field === 'messages' && isTooShort) {
		throw new ServiceFault(400, 'messages: at least one message is required');
	}
	throw new ServiceFault(400, `${field}: ${isMissing ? 'Field required' : message}`);
}

/** Creates the error for JSON that isn't an object. */
export function createBodyError(): ServiceFault {
	return new ServiceFault(400, 'The request body must be a JSON object');
}

/**
 * Checks rules of Anthropic's API that the schema can't express: empty messages, duplicate tool names, a choice of tools that don't exist.
 * Throws an error (400) in Anthropic's wording.
 */
export function checkMessagesSense({ messages, stop_sequences = [], tools = [], ...request }: MessagesRequest): void {
	const last = messages.length - 1;
	const silent = messages.findIndex(({ role, content }, i) => content.length === 0 && !(role === 'assistant' && i === last));
	if (silent >= 0) {
		throw new ServiceFault(
			400,
			`messages.${silent}: all messages must have non-empty content except for the optional final assistant message`,
		);
	}
	if (messages.every(({ role }) => role === 'system')) {
		throw new ServiceFault(400, 'messages: at least one user message is required');
	}
	if (stop_sequences.some(sequence => sequence.trim() === '')) {
		throw new ServiceFault(400, 'stop_sequences: each stop sequence must contain non-whitespace');
	}
	const names = tools.map(({ name }) => name).filter(name => name !== undefined);
	if (new Set(names).size < names.length) {
		throw new ServiceFault(400, 'tools: Tool names must be unique.');
	}
	const choice = request.tool_choice ?? request.tool_choices;
	if (choice?.type === 'any' && tools.length === 0) {
		throw new ServiceFault(400, 'tool_choice: may only be specified while providing tools');
	}
	if (choice?.type === 'tool' && typeof choice['name'] === 'string' && !names.includes(choice['name'])) {
		throw new ServiceFault(400, `tool_choice: Tool '${choice['name'].slice(0, 200)}' not found in provided tools`);
	}
}

/** True for a valid date such as `2023-06-01`. */
function isApiVersion(text: string): boolean {
	const day = /^20\d\d-\d\d-\d\d$/.test(text) ? new Date(text) : undefined;
	return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
