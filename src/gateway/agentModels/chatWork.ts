import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { PreparedTurn } from '../chat/chatTurn.ts';
import type { RunService } from '../runs/runService.ts';
import { createPauseError, createRunError, createStopError, type ReadyRun } from './agentReply.ts';

/** Creates the run of a chat turn. Its text consists of the turn's messages. */
export function createChatRun(prepared: PreparedTurn, runs: RunService): ReadyRun {
	return {
		async start(tell) {
			const { run, reply } = await prepared.start(json => tell(readMessage(json)));
			const { answer, metadata, data } = await reply.catch((error: unknown) => {
				throw error instanceof ServiceFault && error.details.code === failedTurn ? createRunError(error.message) : error;
			});
			if (data.status === 'stopped') {
				throw createStopError(run.id);
			}
			if (data.status === 'paused') {
				throw createPauseError(run.id);
			}
			return { text: answer, metadata };
		},
		stop: () => void runs.stopRuns([prepared.runId]),
		[Symbol.dispose]: () => prepared[Symbol.dispose](),
	};
}

/** Code of an error event for a failed run. */
const failedTurn = 'completion_request_error';

/**
 * Returns the chunk of the answer in an event of a turn. Most events have none and aren't parsed. The text of a replacement is added too,
 * because text that was already sent can't be removed.
 */
function readMessage(json: string): string {
	if (!/^\{"event":"(?:agent_)?message(?:_replace)?"/.test(json)) {
		return '';
	}
	const { event, answer } = JSON.parse(json) as { event: string; answer: string };
	return event === 'message_replace' ? `\n\n${answer}` : answer;
}
