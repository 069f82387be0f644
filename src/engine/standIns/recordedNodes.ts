import type { LoadedAgent } from '../agentFile/agentTypes.ts';
import type { NodeContext } from '../nodes/nodeType.ts';
import { RecordedServices } from '../recordings/recordedServices.ts';
import { RecordingMarks } from '../recordings/recordingMarks.ts';
import type { OnReplay, RecordingLevel } from '../recordings/runRecording.ts';
import type { EngineServices, RunOptions } from '../run/engineTypes.ts';
import type { Execute } from '../run/runState.ts';

interface RecordedAgent {
	readonly agent: LoadedAgent;
	readonly options: RunOptions;
	readonly services: EngineServices;
}

/** Wraps `execute` so that everything that nodes ask models, tools and other services for passes through a recording. */
export function executeRecorded(
	{ run, path, services: real, onReplay: onOuterReplay }: RecordingLevel,
	{ agent, options, services }: RecordedAgent,
	execute: Execute,
): Execute {
	const marks = new RecordingMarks(agent, options, run.secrets);
	return context => {
		// an agent that runs as a tool gets recorded services from its caller, and would record each call twice
		const base = options.attack ? context.services : (real ?? services);
		const node = path + formatNodePath(context);
		const onReplay: OnReplay = saved => {
			context.record.replayed = true;
			context.record.savedPrice = (context.record.savedPrice ?? 0) + saved;
			onOuterReplay?.(saved);
		};
		return execute({
			...context,
			services: new RecordedServices(base, run, { node, marks, onReplay }),
			run: { ...context.run, recording: { run, path: `${node}>`, services: base, onReplay } },
		});
	};
}

/** Returns the path of a node: `iterate#0/summarize` inside a container. */
function formatNodePath({ node, place }: NodeContext<never>): string {
	const { iteration_id, iteration_index, loop_id, loop_index } = place;
	const iteration = iteration_id === undefined ? '' : `${iteration_id}#${iteration_index}/`;
	const loop = loop_id === undefined ? '' : `${loop_id}#${loop_index}/`;
	return iteration + loop + node.id;
}
