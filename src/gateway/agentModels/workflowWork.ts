import { TurnEvents, type TurnForm } from '../chat/turnEvents.ts';
import type { PreparedRun } from '../runs/runOrder.ts';
import type { RunService } from '../runs/runService.ts';
import { createPauseError, createRunError, createStopError, type ReadyRun } from './agentReply.ts';

/** Creates the run of a workflow. Its text is what the workflow streams, or its outputs. */
export function createWorkflowRun(prepared: PreparedRun, runs: RunService, agent: TurnForm): ReadyRun {
	return {
		async start(tell) {
			const events = new TurnEvents({}, agent, () => {});
			const run = await prepared.start(event => {
				if (event.event === 'text_chunk') {
					tell(String((event as { readonly data: { readonly text: unknown } }).data.text));
				}
				events.forwardEvent(event);
			});
			const finished = await run.done;
			const { status, error, outputs } = finished.data;
			if (status === 'failed') {
				throw createRunError(error);
			}
			if (status === 'stopped') {
				throw createStopError(run.id);
			}
			if (status === 'paused') {
				throw createPauseError(run.id);
			}
			const { answer, metadata } = events.getTurnResult(finished);
			return { text: getText(outputs) ?? answer, metadata };
		},
		stop: () => void runs.stopRuns([prepared.id]),
		[Symbol.dispose]: () => prepared[Symbol.dispose](),
	};
}

/** Returns the only output if it's a string, otherwise all outputs as JSON; undefined if there are none. */
function getText(outputs: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
	const values = Object.values(outputs ?? {});
	return values.length === 0 ? undefined : values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(outputs);
}
