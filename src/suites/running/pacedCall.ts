import type { ServiceError } from '#client/errors/serviceError.ts';
import type { ConnectionPace } from './connectionPace.ts';

export interface PacedCallOptions {
	readonly pace: ConnectionPace;
	/** Maximum number of concurrent runs on the connection. */
	readonly limit: number;
	readonly signal: AbortSignal;
}

/**
 * Makes a call when its connection has a free slot, and retries it after rate limit responses. Rejects with the client's error or the
 * signal's reason.
 */
export async function runPacedCall<T>({ pace, limit, signal }: PacedCallOptions, call: () => Promise<T>): Promise<T> {
	for (;;) {
		try {
			return await runCallInSlot({ pace, limit, signal }, call);
		} catch (error) {
			if (signal.aborted || !isServiceError(error)) {
				throw error;
			}
			if (!isRateLimitError(error) || !pace.onRateLimit(error.retryAfterMs, error.message)) {
				throw error;
			}
		}
	}
}

// separate, because esbuild compiles `using` in a loop so that the error of one iteration is thrown again by all later ones
async function runCallInSlot<T>({ pace, limit, signal }: PacedCallOptions, call: () => Promise<T>): Promise<T> {
	using _place = await pace.acquireSlot(limit, signal);
	const value = await call();
	pace.onSuccess();
	return value;
}

export function isServiceError(error: unknown): error is ServiceError {
	return error instanceof Error && error.name === 'ServiceError';
}

/** True if the service couldn't be reached or the connection was lost. */
export function isServiceUnreached({ reason }: ServiceError): boolean {
	return reason === 'network' || reason === 'tls' || reason === 'timeout';
}

/** True for rate limit responses: 429, 529, and other overload responses with a retry time. */
function isRateLimitError({ reason, status, retryAfterMs }: ServiceError): boolean {
	return reason === 'rate-limited' || (reason === 'overloaded' && (status === 529 || retryAfterMs !== undefined));
}
