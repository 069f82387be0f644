import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { toModelFault } from '../modelFault.ts';
import type { ModelRoute } from '../modelRoute.ts';
import type { TextCall } from './textCall.ts';

/** Longest wait in milliseconds that a service may ask for; a service that asks for more is skipped. */
const longestWaitMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** Waits between attempts. Tests replace it. */
type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;
const waitForRetry: Wait = (ms, signal) => sleep(ms, undefined, { signal });

/**
 * Tries the routes of a plan in order until one replies. Retries each as often as configured if the error may be temporary and no part of a
 * reply has been sent. Rejects with the last error, or the signal's reason.
 * @param begun returns true once something has been sent to the caller, which rules out another attempt
 */
export async function tryRoutes<T>(
	call: TextCall,
	plan: readonly ModelRoute[],
	signal: AbortSignal,
	attempt: (route: ModelRoute) => Promise<T>,
	begun: () => boolean,
	wait = waitForRetry,
): Promise<T> {
	for (const [place, route] of plan.entries()) {
		const isLastRoute = place === plan.length - 1;
		for (let again = 0; ; again++) {
			call.route = route;
			call.tries++;
			call.hasNext = again < route.retries || !isLastRoute;
			try {
				return await attempt(route);
			} catch (error) {
				const fault = toModelFault(error, route);
				if (signal.aborted || begun() || !call.hasNext || !isTemporary(fault)) {
					throw fault;
				}
				const pause = getRetryDelay(again, fault);
				if (again >= route.retries || (pause > longestWaitMs && !isLastRoute)) {
					break;
				}
				if (pause > longestWaitMs) {
					throw fault;
				}
				await wait(pause, signal);
			}
		}
	}
	throw new Error('A plan has at least one route');
}

/** True if another attempt or another service might not have this error: too many requests, failing services and connections, timeouts. */
function isTemporary(fault: unknown): fault is ServiceFault {
	return fault instanceof ServiceFault && (fault.status === 408 || fault.status === 429 || fault.status >= 500);
}

/** Returns the milliseconds until the next attempt: as long as the service asks for, otherwise twice as long as before. */
function getRetryDelay(again: number, { details }: ServiceFault): number {
	const asked = details.headers?.['retry-after'];
	if (asked !== undefined) {
		const ms = /^\d+(\.\d+)?$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
		if (!Number.isNaN(ms)) {
			return Math.max(0, ms);
		}
	}
	return Math.min(firstPauseMs * 2 ** again, longestPauseMs);
}
