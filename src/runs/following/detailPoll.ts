import { getErrorReason } from '#base/problems.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';

/** Result of a poll: the detail of a finished run, an unreachable service, or a canceled poll. */
export type DetailPoll =
	| { readonly kind: 'finished'; readonly detail: WorkflowRunDetail }
	| { readonly kind: 'unreachable'; readonly error: unknown }
	| { readonly kind: 'called-off' };

interface DetailPollParts {
	readonly fetch: () => Promise<WorkflowRunDetail>;
	/** Called at the first of several consecutive failures. */
	readonly onTrouble: (error: unknown) => void;
	readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
	readonly signal: AbortSignal;
}

const isRunningStatus = (status: string) => status === 'running' || status === 'scheduled';

/** Reasons of errors that a retry doesn't fix. */
const final: readonly string[] = ['not-found', 'auth', 'key-missing', 'signed-out', 'session-expired', 'unknown-connection'];

const firstPauseMs = 200;
const longestPauseMs = 5000;
/**
 * Number of consecutive failures after which a run counts as lost. With the pauses above this takes about a minute, enough for a service to
 * restart.
 */
const patience = 18;

/**
 * Fetches a run's detail until it is final: first every 200 ms, then less often, down to every 5 s. Retries an unreachable service for
 * about a minute. Doesn't retry if the service doesn't know the run or refuses the key, or if there is no key.
 */
export async function pollDetail({ fetch, onTrouble, wait, signal }: DetailPollParts): Promise<DetailPoll> {
	let pauseMs = firstPauseMs;
	let failures = 0;
	while (!signal.aborted) {
		try {
			const detail = await fetch();
			failures = 0;
			if (!isRunningStatus(detail.status)) {
				return { kind: 'finished', detail };
			}
		} catch (error) {
			failures++;
			if (failures >= patience || final.includes(getErrorReason(error) ?? '')) {
				return { kind: 'unreachable', error };
			}
			if (failures === 1) {
				onTrouble(error);
			}
		}
		await wait(pauseMs, signal);
		pauseMs = Math.min(longestPauseMs, pauseMs * 1.4);
	}
	return { kind: 'called-off' };
}

/** Returns the outputs of a run's detail. Some services send them as a JSON string (contract A2). */
export function parseOutputs(detail: Pick<WorkflowRunDetail, 'outputs'>): Record<string, unknown> | null {
	if (typeof detail.outputs !== 'string') {
		return detail.outputs;
	}
	const outputs = tryParseJson(detail.outputs);
	if (outputs === undefined) {
		return { outputs: detail.outputs };
	}
	return typeof outputs === 'object' && outputs !== null ? (outputs as Record<string, unknown>) : { outputs };
}

/** Waits this many milliseconds, or until the signal fires. */
export function waitForDelay(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		const finishWaiting = () => {
			clearTimeout(timer);
			signal.removeEventListener('abort', finishWaiting);
			resolve();
		};
		const timer = setTimeout(finishWaiting, ms);
		signal.addEventListener('abort', finishWaiting);
	});
}
