import { TurnEvents, type TurnForm } from '../chat/turnEvents.ts';
import type { PreparedRun } from '../runs/runOrder.ts';
import type { RunService } from '../runs/runService.ts';
import { type ReadyRun, runFault, stopFault, waitFault } from './agentReply.ts';

/** Creates the run of a workflow: the text that it streams, and its outputs. */
export function workflowWork(prepared: PreparedRun, runs: RunService, agent: TurnForm): ReadyRun {
	return {
		async begin(tell) {
			const events = new TurnEvents({}, agent, () => {});
			const run = await prepared.start(event => {
				if (event.event === 'text_chunk') {
					tell(String((event as { readonly data: { readonly text: unknown } }).data.text));
				}
				events.forward(event);
			});
			const finished = await run.done;
			const { status, error, outputs } = finished.data;
			if (status === 'failed') {
				throw runFault(error);
			}
			if (status === 'stopped') {
				throw stopFault(run.id);
			}
			if (status === 'paused') {
				throw waitFault(run.id);
			}
			const { answer, metadata } = events.end(finished);
			return { text: textOf(outputs) ?? answer, metadata };
		},
		stop: () => void runs.endAll([prepared.id]),
		[Symbol.dispose]: () => prepared[Symbol.dispose](),
	};
}

/** Returns the only output if it's a string, otherwise all outputs as JSON; undefined if there are none. */
function textOf(outputs: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
	const values = Object.values(outputs ?? {});
	return values.length === 0 ? undefined : values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(outputs);
}
