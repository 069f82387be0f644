import { formatMessage, type LocalizableMessage } from '#base/text/localizableMessage.ts';

/**
 * Why a request failed, for callers to branch on instead of matching text:
 * - `auth`: key missing, refused or not allowed; the account can't pay
 * - `not-found`: the service has no such agent, run, conversation, model or path
 * - `not-published`: the agent exists, but its workflow isn't published
 * - `invalid-request`: the request breaks a rule of the contract or the service; a retry fails again
 * - `rate-limited`, `overloaded`: a later retry can succeed, see `retryAfterMs`
 * - `server`: internal error of the service
 * - `network`: no connection, or it broke
 * - `tls`: certificate or TLS version
 * - `timeout`: nothing was received for too long
 * - `aborted`: by the caller's signal
 * - `protocol`: the response breaks the contract: not JSON, a stream without its end, a redirect, an HTML page
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

/** Details of a failure besides its reason; no text contains a key. */
interface ServiceErrorDetails {
	/** HTTP status, if a response came. */
	readonly status?: number | undefined;
	/** The service's code (`invalid_param`, `overloaded_error`, `INVALID_ARGUMENT`), or the operating system's (`ECONNREFUSED`). */
	readonly code?: string | undefined;
	/** The service's request ID, to quote to its support. */
	readonly requestId?: string | undefined;
	/** Milliseconds to wait, as the service asks. */
	readonly retryAfterMs?: number | undefined;
	/** Invalid field of the request, as a path (`messages.0.role`). */
	readonly field?: string | undefined;
	/** Events received before a stream failed. */
	readonly received?: number | undefined;
	/** Underlying error; contains no key (see redaction.ts). */
	readonly cause?: Error | undefined;
}

/**
 * The only error that {@link ServiceClient} throws and rejects with. `message` says what happened and what to do; no field ever contains a
 * key. `instanceof` doesn't work across bundles: compare `error.name === 'ServiceError'`.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly reason: ServiceErrorReason;
	/** The message with separate values, for programs that translate it. */
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
