import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { modelFault } from '../modelFault.ts';
import type { ModelRoute } from '../modelRoute.ts';
import type { TextCall } from './textCall.ts';

/** A service that wants to be left alone for longer is not asked again, in milliseconds. */
const longestWaitMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** How waits between tries pass; another in tests. */
type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;
const waitFor: Wait = (ms, signal) => sleep(ms, undefined, { signal });

/**
 * Asks the routes of a plan, in order, until one answers: each again as often as it says, where it fails in a way that another try may mend and
 * nothing of a reply has been sent. Rejects with the fault of the last try, or the signal's reason.
 * @param begun whether the caller has been sent something: then it is too late for another try
 */
export async function tryRoutes<T>(
	call: TextCall,
	plan: readonly ModelRoute[],
	signal: AbortSignal,
	attempt: (route: ModelRoute) => Promise<T>,
	begun: () => boolean,
	wait = waitFor,
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
				const fault = modelFault(error, route);
				if (signal.aborted || begun() || !call.hasNext || !mayPass(fault)) {
					throw fault;
				}
				const pause = pauseBefore(again, fault);
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
	throw new Error('A plan holds a route');
}

/** Whether a fault may be gone at another try, or at another service: too many requests, a service or a connection that fails, a time-out. */
function mayPass(fault: unknown): fault is ServiceFault {
	return fault instanceof ServiceFault && (fault.status === 408 || fault.status === 429 || fault.status >= 500);
}

/** Milliseconds until the next try: as long as the service asks for, else longer each time. */
function pauseBefore(again: number, { details }: ServiceFault): number {
	const asked = details.headers?.['retry-after'];
	if (asked !== undefined) {
		const ms = /^\d+(\.\d+)?$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
		if (!Number.isNaN(ms)) {
			return Math.max(0, ms);
		}
	}
	return Math.min(firstPauseMs * 2 ** again, longestPauseMs);
}
