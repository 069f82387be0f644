/** Reason for an error, independent of the protocol. */
export type FaultReason =
	| 'bad-request'
	| 'unauthorized'
	| 'billing'
	| 'forbidden'
	| 'not-found'
	| 'conflict'
	| 'too-large'
	| 'context-length'
	| 'rate-limited'
	| 'cancelled'
	| 'server'
	| 'unavailable'
	| 'network'
	| 'timeout'
	| StoreFaultReason;

/** Why the data folder can't be read or written. */
export type StoreFaultReason = 'disk-full' | 'read-only' | 'damaged' | 'folder-gone' | 'disk-failed';

/** A kind of error: its reason, and its names in the supported protocols. */
interface FaultKind {
	readonly reason: FaultReason;
	/** Dify's `code` (wire facts 1.6). */
	readonly agent: string;
	/** Anthropic's error type (wire facts 2.3). */
	readonly messages: string;
	/** Google's status (wire facts 4.3). */
	readonly content: string;
	readonly openai: OpenAiFaultKind;
}

/** OpenAI's two names for an error: the `type`, and the `code`, which many errors don't have. */
interface OpenAiFaultKind {
	readonly type: string;
	readonly code: string | null;
}

/** Returns the kind of error that an HTTP status stands for. */
export function getFaultKind(status: number): FaultKind {
	return kinds[status] ?? (status >= 500 ? failed : refused);
}

/** Returns the HTTP status of an Anthropic error type; undefined if unknown. */
export function getMessagesStatus(type: string): number | undefined {
	return statusOfType.get(type);
}

const refused: FaultKind = {
	reason: 'bad-request',
	agent: 'bad_request',
	messages: 'invalid_request_error',
	content: 'INVALID_ARGUMENT',
	openai: createInvalidRequest(null),
};
const failed: FaultKind = {
	reason: 'server',
	agent: 'internal_server_error',
	messages: 'api_error',
	content: 'INTERNAL',
	openai: { type: 'server_error', code: null },
};

function createInvalidRequest(code: string | null): OpenAiFaultKind {
	return { type: 'invalid_request_error', code };
}

const kinds: Readonly<Record<number, FaultKind>> = {
	400: { ...refused, agent: 'invalid_param' },
	401: {
		reason: 'unauthorized',
		agent: 'unauthorized',
		messages: 'authentication_error',
		content: 'UNAUTHENTICATED',
		openai: createInvalidRequest('invalid_api_key'),
	},
	402: {
		...refused,
		reason: 'billing',
		messages: 'billing_error',
		content: 'RESOURCE_EXHAUSTED',
		openai: createInvalidRequest('insufficient_quota'),
	},
	403: { ...refused, reason: 'forbidden', agent: 'forbidden', messages: 'permission_error', content: 'PERMISSION_DENIED' },
	404: {
		reason: 'not-found',
		agent: 'not_found',
		messages: 'not_found_error',
		content: 'NOT_FOUND',
		openai: createInvalidRequest('model_not_found'),
	},
	405: { ...refused, agent: 'method_not_allowed' },
	409: { ...refused, reason: 'conflict', messages: 'conflict_error', content: 'ABORTED' },
	413: { ...refused, reason: 'too-large', agent: 'request_entity_too_large', messages: 'request_too_large' },
	415: { ...refused, agent: 'unsupported_media_type' },
	429: {
		reason: 'rate-limited',
		agent: 'too_many_requests',
		messages: 'rate_limit_error',
		content: 'RESOURCE_EXHAUSTED',
		openai: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
	},
	499: { ...refused, reason: 'cancelled', content: 'CANCELLED' },
	502: { ...failed, reason: 'unavailable', content: 'UNAVAILABLE' },
	503: { ...failed, reason: 'unavailable', content: 'UNAVAILABLE' },
	504: { ...failed, reason: 'timeout', messages: 'timeout_error', content: 'DEADLINE_EXCEEDED' },
	529: { ...failed, reason: 'unavailable', messages: 'overloaded_error', content: 'UNAVAILABLE' },
};

const statusOfType = new Map<string, number>([
	[failed.messages, 500],
	...Object.entries(kinds)
		.filter(([, { messages }]) => messages !== failed.messages)
		.map(([status, { messages }]): [string, number] => [messages, Number(status)])
		.reverse(),
	[refused.messages, 400],
]);
