import { formatMessage, type LocalizableMessage } from '#base/text/localizableMessage.ts';

/**
 * Why a request failed: what a caller decides on, instead of matching text (issue 3).
 * - `auth`: key missing, refused or not allowed; the account cannot pay
 * - `not-found`: the service knows no such agent, run, conversation, model or path
 * - `not-published`: the agent exists, its workflow is not published
 * - `invalid-request`: the request breaks a rule of the contract or of the service; sent again it fails again
 * - `rate-limited`, `overloaded`: later it can work, see `retryAfterMs`
 * - `server`: the service failed inside
 * - `network`: no connection, or it broke
 * - `tls`: certificate or TLS version
 * - `timeout`: nothing came for too long
 * - `aborted`: the caller's signal
 * - `protocol`: the answer is not what the contract says: no JSON, a stream without its end, a redirect, an HTML page
 */
export type ServiceErrorReason =
	| 'auth'
	| 'not-found'
	| 'not-published'
	| 'invalid-request'
	| 'rate-limited'
	| 'overloaded'
	| 'server'
	| 'network'
	| 'tls'
	| 'timeout'
	| 'aborted'
	| 'protocol';

/** What is known of a failure besides its reason; every text in it is free of keys. */
interface ServiceErrorDetails {
	/** HTTP status, where an answer came. */
	readonly status?: number | undefined;
	/** The service's own code (`invalid_param`, `overloaded_error`, `INVALID_ARGUMENT`), or the operating system's (`ECONNREFUSED`). */
	readonly code?: string | undefined;
	/** The service's ID of the request, to quote to its support. */
	readonly requestId?: string | undefined;
	/** Milliseconds that the service asks to wait. */
	readonly retryAfterMs?: number | undefined;
	/** Field of the request that is wrong, as a path (`messages.0.role`). */
	readonly field?: string | undefined;
	/** Events that had come before a stream failed. */
	readonly received?: number | undefined;
	/** What lies under it; holds no key (see redaction.ts). */
	readonly cause?: Error | undefined;
}

/**
 * The one error that {@link ServiceClient} throws and rejects with. `message` is a sentence that says what happened and what to do; no
 * field of it ever holds a key. Across bundles `instanceof` does not work: compare `error.name === 'ServiceError'`.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly reason: ServiceErrorReason;
	/** The message with its values apart, for programs that translate it. */
	readonly localizable: LocalizableMessage | undefined;
	readonly status: number | undefined;
	readonly code: string | undefined;
	readonly requestId: string | undefined;
	readonly retryAfterMs: number | undefined;
	readonly field: string | undefined;
	readonly received: number | undefined;

	constructor(reason: ServiceErrorReason, message: string | LocalizableMessage, details: ServiceErrorDetails = {}) {
		super(typeof message === 'string' ? message : formatMessage(message), details.cause ? { cause: details.cause } : undefined);
		this.localizable = typeof message === 'string' ? undefined : message;
		this.reason = reason;
		this.status = details.status;
		this.code = details.code;
		this.requestId = details.requestId;
		this.retryAfterMs = details.retryAfterMs;
		this.field = details.field;
		this.received = details.received;
	}
}
