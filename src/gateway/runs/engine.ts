import type { FileObject } from '../../protocol/workflows.ts';
import { loadAgent } from '../engine/agentFile.ts';
import type { LoadedAgent } from '../engine/agentTypes.ts';
import type { EngineServices, RunOptions, RunOutcome } from '../engine/engineTypes.ts';
import { InputError } from '../engine/inputError.ts';
import { checkInputs } from '../engine/inputs.ts';
import { runWorkflow } from '../engine/run.ts';
import { usesJavaScript } from '../engine/usesJavaScript.ts';
import { ServiceFault } from '../server/serviceFault.ts';

/** The workflow engine as the gateway uses it. This module is loaded at the first agent, with everything that nodes need. */
export class Engine {
	readonly #services: EngineServices;

	constructor(services: EngineServices) {
		this.#services = services;
	}

	/** Reads an agent file. Throws an error whose message names the file, the line and what is wrong. */
	readonly load = (text: string, fileName: string): LoadedAgent => {
		const agent = loadAgent(text, fileName);
		if (usesJavaScript(agent.graph)) {
			void this.#services.code.warm();
		}
		return agent;
	};

	/** Inputs as the run takes them. Throws a fault (400) in Dify's words. */
	checkInputs(agent: LoadedAgent, inputs: Readonly<Record<string, unknown>>, files: readonly FileObject[]): Record<string, unknown> {
		try {
			return checkInputs(agent, inputs, files);
		} catch (error) {
			throw error instanceof InputError ? new ServiceFault(400, error.message, { params: error.variable }) : error;
		}
	}

	/** Runs an agent once; resolves when it has ended, however it did. */
	run(agent: LoadedAgent, options: RunOptions): Promise<RunOutcome> {
		return runWorkflow(agent, options, this.#services);
	}
}
