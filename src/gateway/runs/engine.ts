import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Mocks } from '#contract/mocks.ts';
import type { FileObject } from '#contract/workflows.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { hasJavaScriptNode } from '#engine/agentFile/usesJavaScript.ts';
import type { EngineServices, RunOptions, RunOutcome } from '#engine/run/engineTypes.ts';
import { InputError } from '#engine/run/inputError.ts';
import { checkInputs, findRoot, getStartVariables } from '#engine/run/inputs.ts';
import type { FormAnswer, PausedRun } from '#engine/run/pausedRun.ts';
import { resumeWorkflow, runWorkflow } from '#engine/run/run.ts';
import { checkMocks } from '#engine/standIns/checkMocks.ts';
import { createPartialAgent, type PartialAgent, type PartOrder } from '#engine/standIns/partialAgents.ts';

/** The workflow engine as the gateway uses it. This module is loaded with the first agent, including everything that nodes need. */
export class Engine {
	readonly #services: EngineServices;

	/** Stops background processes that nodes have started, such as MCP servers. */
	readonly close: () => Promise<void>;

	constructor(services: EngineServices, close: () => Promise<void> = async () => {}) {
		this.#services = services;
		this.close = close;
	}

	/** Reads an agent file. Throws an error whose message names the file, the line and the problem. */
	readonly loadAgent = (text: string, fileName: string): LoadedAgent => {
		const agent = loadAgent(text, fileName);
		if (hasJavaScriptNode(agent.graph)) {
			void this.#services.code.startThread();
		}
		return agent;
	};

	/** Checks and converts inputs for a run that starts with this trigger. Throws an error (400) in Dify's wording. */
	checkInputs(
		agent: LoadedAgent,
		inputs: Readonly<Record<string, unknown>>,
		files: readonly FileObject[],
		trigger?: string,
	): Record<string, unknown> {
		return convertInputErrors(() => checkInputs(agent, inputs, files, trigger));
	}

	/** Checks node mocks. Throws an error (400) that names the node. */
	checkMocks(agent: LoadedAgent, mocks: Mocks): void {
		convertInputErrors(() => checkMocks(agent, mocks));
	}

	/** Creates the part of an agent to run. Throws an error (400) that says why it can't run. */
	createPartialAgent(agent: LoadedAgent, order: PartOrder): PartialAgent {
		return convertInputErrors(() => createPartialAgent(agent, order, this.#services.files));
	}

	/** Returns the files among the inputs, by input variable. */
	getFileInputs(
		agent: LoadedAgent,
		inputs: Readonly<Record<string, unknown>>,
		trigger?: string,
	): readonly (readonly [string, readonly FileObject[]])[] {
		return getStartVariables(findRoot(agent.graph, trigger))
			.filter(({ type, variable }) => (type === 'file' || type === 'file-list') && inputs[variable] !== undefined)
			.map(({ variable }) => [variable, [inputs[variable]].flat() as FileObject[]]);
	}

	/** Runs an agent. Resolves when the run has ended, with any status, or has paused. */
	run(agent: LoadedAgent, options: RunOptions): Promise<RunOutcome> {
		return runWorkflow(agent, options, this.#getServices(agent, options));
	}

	/** Resumes a paused run with `answers` by node. */
	resumeRun(
		agent: LoadedAgent,
		options: RunOptions,
		paused: PausedRun,
		answers: Readonly<Record<string, FormAnswer>>,
	): Promise<RunOutcome> {
		return resumeWorkflow(agent, options, this.#getServices(agent, options), paused, answers);
	}

	#getServices({ secrets }: LoadedAgent, { runId, user, agentName, cache }: RunOptions): EngineServices {
		const services = this.#services;
		const asking = {
			runId,
			user,
			...(agentName !== undefined && { agentName }),
			...(cache !== undefined && { cache }),
			secrets,
		};
		return { ...services, models: services.models.bindToRun?.(asking) ?? services.models };
	}
}

/** Converts input errors thrown by `check` to errors with the status 400. */
function convertInputErrors<T>(check: () => T): T {
	try {
		return check();
	} catch (error) {
		throw error instanceof InputError ? new ServiceFault(400, error.message, { params: error.variable }) : error;
	}
}
