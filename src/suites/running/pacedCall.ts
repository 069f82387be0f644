import type { ServiceError } from '#client/errors/serviceError.ts';
import type { ConnectionPace } from './connectionPace.ts';

/** What a call is made with. */
export interface PacedCallOptions {
	readonly pace: ConnectionPace;
	/** Runs at a time on the connection. */
	readonly limit: number;
	readonly signal: AbortSignal;
}

/**
 * Makes a call in a place of its connection. Where the service refuses for its limits, it is made again when that is allowed. Rejects with the client's error, or with the signal's reason.
 */
export async function pacedCall<T>({ pace, limit, signal }: PacedCallOptions, call: () => Promise<T>): Promise<T> {
	for (;;) {
		try {
			return await inPlace({ pace, limit, signal }, call);
		} catch (error) {
			if (signal.aborted || !isServiceError(error)) {
				throw error;
			}
			if (!isRefusal(error) || !pace.refused(error.retryAfterMs, error.message)) {
				throw error;
			}
		}
	}
}

// apart: esbuild lowers a `using` in a loop in such a way that the error of one round is thrown again by all later ones
async function inPlace<T>({ pace, limit, signal }: PacedCallOptions, call: () => Promise<T>): Promise<T> {
	using _place = await pace.take(limit, signal);
	const value = await call();
	pace.succeeded();
	return value;
}

/** Whether an error is the client's. */
export function isServiceError(error: unknown): error is ServiceError {
	return error instanceof Error && error.name === 'ServiceError';
}

/** Whether the service was not reached, or lost on the way. */
export function isUnreached({ reason }: ServiceError): boolean {
	return reason === 'network' || reason === 'tls' || reason === 'timeout';
}

/** Whether the service refuses for its limits: 429, 529, and whatever else says that it is overloaded and when to come again. */
function isRefusal({ reason, status, retryAfterMs }: ServiceError): boolean {
	return reason === 'rate-limited' || (reason === 'overloaded' && (status === 529 || retryAfterMs !== undefined));
}
