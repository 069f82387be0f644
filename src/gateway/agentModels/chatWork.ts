import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { PreparedTurn } from '../chat/chatTurn.ts';
import type { RunService } from '../runs/runService.ts';
import { type ReadyRun, runFault, stopFault, waitFault } from './agentReply.ts';

/** A turn of a chat as the work behind a reply: its messages are the text. */
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

/** Code by which a turn tells that its run failed. */
const failedTurn = 'completion_request_error';

/** Piece of the answer that an event of a turn carries; nearly all carry none, and are not read. What replaces the answer comes behind it: nothing that was sent can be taken back. */
function messageOf(json: string): string {
	if (!/^\{"event":"(?:agent_)?message(?:_replace)?"/.test(json)) {
		return '';
	}
	const { event, answer } = JSON.parse(json) as { event: string; answer: string };
	return event === 'message_replace' ? `\n\n${answer}` : answer;
}
