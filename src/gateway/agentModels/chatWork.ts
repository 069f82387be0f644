import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { PreparedTurn } from '../chat/chatTurn.ts';
import type { RunService } from '../runs/runService.ts';
import { type ReadyRun, runFault, stopFault, waitFault } from './agentReply.ts';

/** Creates the run for a chat turn; its messages are the text. */
export function chatWork(prepared: PreparedTurn, runs: RunService): ReadyRun {
	return {
		async begin(tell) {
			const { run, reply } = await prepared.start(json => tell(messageOf(json)));
			const { answer, metadata, data } = await reply.catch((error: unknown) => {
				throw error instanceof ServiceFault && error.details.code === failedTurn ? runFault(error.message) : error;
			});
			if (data.status === 'stopped') {
				throw stopFault(run.id);
			}
			if (data.status === 'paused') {
				throw waitFault(run.id);
			}
			return { text: answer, metadata };
		},
		stop: () => void runs.endAll([prepared.runId]),
		[Symbol.dispose]: () => prepared[Symbol.dispose](),
	};
}

/** Code of an error event for a failed run. */
const failedTurn = 'completion_request_error';

/**
 * Returns the chunk of the answer in an event of a turn; most events have none and aren't parsed. A replacement is appended because text
 * that was sent can't be removed.
 */
function messageOf(json: string): string {
	if (!/^\{"event":"(?:agent_)?message(?:_replace)?"/.test(json)) {
		return '';
	}
	const { event, answer } = JSON.parse(json) as { event: string; answer: string };
	return event === 'message_replace' ? `\n\n${answer}` : answer;
}
