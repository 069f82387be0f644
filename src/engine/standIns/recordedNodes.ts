import type { LoadedAgent } from '../agentFile/agentTypes.ts';
import type { NodeContext } from '../nodes/nodeType.ts';
import { RecordedServices } from '../recordings/recordedServices.ts';
import { listAgentSecrets, RecordingMarks } from '../recordings/recordingMarks.ts';
import type { OnReplay, RecordingLevel } from '../recordings/runRecording.ts';
import type { EngineServices, RunOptions } from '../run/engineTypes.ts';
import type { Execute } from '../run/runState.ts';
import type { ReplaceServices } from './heldModels.ts';

interface RecordedAgent {
	readonly agent: LoadedAgent;
	readonly options: RunOptions;
	readonly services: EngineServices;
	/** Replaces the services that the recording records; undefined for none. */
	readonly replace: ReplaceServices | undefined;
}

/** Wraps `execute` so that everything that nodes ask models, tools and other services for passes through a recording. */
export function executeRecorded(
	{ run, path, services: real, onReplay: onOuterReplay }: RecordingLevel,
	{ agent, options, services, replace }: RecordedAgent,
	execute: Execute,
): Execute {
	const marks = new RecordingMarks(agent, options, run.secrets);
	run.addAgentSecrets(listAgentSecrets(agent));
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
			services: new RecordedServices(replace?.(base, context) ?? base, run, { node, marks, onReplay }),
			run: { ...context.run, recording: { run, path: `${node}>`, services: base, onReplay } },
		});
	};
}

/** Returns the path of a node: `iterate#0/summarize` inside a container, with all containers around it. */
function formatNodePath({ node, around }: NodeContext<never>): string {
	let path = node.id;
	// an agent that runs as a tool has an enclosing node without an iteration
	for (let at = around; at?.round !== undefined; at = at.level.around) {
		path = `${at.node.id}#${at.round}/${path}`;
	}
	return path;
}
