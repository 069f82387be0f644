import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { ServiceFault } from '../server/serviceFault.ts';

/** C and D name the version they are written for, as `provider-version` (contract) or `anthropic-version`. Throws a fault (400) without it. */
export function requireVersion({ headers }: IncomingMessage): void {
	const version = headers['anthropic-version'] ?? headers['provider-version'];
	if (typeof version !== 'string' || version === '') {
		throw new ServiceFault(400, 'anthropic-version: header is required');
	}
	if (!/^\d{4}-\d\d-\d\d$/.test(version)) {
		throw new ServiceFault(400, `anthropic-version: "${version.slice(0, 50)}" is not a valid version`);
	}
}

/**
 * The body of C or D checked against its schema; a field that is null counts as absent. Throws a fault (400) in the words of Anthropic's API: the
 * field, then what is wrong with it.
 */
export function checkMessagesBody<S extends z.ZodType>(schema: S, body: Buffer): z.output<S> {
	const value = withoutNulls(parse(body));
	const result = schema.safeParse(value);
	if (result.success) {
		return result.data;
	}
	const issue = result.error.issues[0];
	const field = issue?.path.join('.') || 'body';
	if (field === 'messages' && issue?.code === 'too_small') {
		throw new ServiceFault(400, 'messages: at least one message is required');
	}
	throw new ServiceFault(400, `${field}: ${isMissing(value, issue?.path ?? []) ? 'Field required' : issue?.message}`);
}

function parse(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString('utf8'));
	} catch {
		throw new ServiceFault(400, 'The request body is not valid JSON');
	}
}

function withoutNulls(value: unknown): unknown {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
		: value;
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
	let current = value;
	for (const key of path) {
		current = typeof current === 'object' && current !== null ? (current as Record<PropertyKey, unknown>)[key] : undefined;
	}
	return current === undefined;
}
