import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { isRecord } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { problemOf, wordsOf } from '#contract/problems.ts';
import type { MessagesRequest } from '#contract/text/messages.ts';
import { providerVersion } from '#contract/versions.ts';
import { parseJson } from '../../server/parseJson.ts';

/** C and D name the version they are written for, as `provider-version` (contract) or `anthropic-version`. Throws a fault (400) without it. */
export function requireVersion({ headers }: IncomingMessage): void {
	const version = headers['anthropic-version'] ?? headers['provider-version'];
	if (typeof version !== 'string' || version === '') {
		throw new ServiceFault(400, 'anthropic-version: header is required');
	}
	// the one that nearly all name costs no calendar
	if (version !== providerVersion && !isVersion(version)) {
		throw new ServiceFault(400, `anthropic-version: "${version.slice(0, 50)}" is not a valid version`);
	}
}

/**
 * The body of C or D checked against its schema; a field that is null counts as absent. Throws a fault (400) in the words of Anthropic's API: the
 * field, then what is wrong with it.
 */
export function checkMessagesBody<S extends z.ZodType>(schema: S, body: Buffer): z.output<S> {
	const json = parseJson(body, new ServiceFault(400, 'The request body is not valid JSON'));
	if (!isRecord(json)) {
		throw noObject();
	}
	const value = Object.fromEntries(Object.entries(json).filter(([, field]) => field !== null));
	const result = schema.safeParse(value, { error: wordsOf });
	if (result.success) {
		return result.data;
	}
	const { field, message, isMissing, isTooShort } = problemOf(result.error, value);
	if (field === 'messages' && isTooShort) {
		throw new ServiceFault(400, 'messages: at least one message is required');
	}
	throw new ServiceFault(400, `${field}: ${isMissing ? 'Field required' : message}`);
}

/** Fault for JSON that is no object. */
export function noObject(): ServiceFault {
	return new ServiceFault(400, 'The request body must be a JSON object');
}

/**
 * What Anthropic's API refuses in a request whose form is right: messages that say nothing, tools of one name, a choice among tools that are not there.
 * Throws a fault (400) in its words.
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

/** Whether it is a day of the calendar, written as in `2023-06-01`, that the API can have had a version of. */
function isVersion(text: string): boolean {
	const day = /^20\d\d-\d\d-\d\d$/.test(text) ? new Date(text) : undefined;
	return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
