import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Mocks } from '#contract/mocks.ts';
import type { FileObject } from '#contract/workflows.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { usesJavaScript } from '#engine/agentFile/usesJavaScript.ts';
import type { EngineServices, RunOptions, RunOutcome } from '#engine/run/engineTypes.ts';
import { InputError } from '#engine/run/inputError.ts';
import { checkInputs, rootOf, startVariables } from '#engine/run/inputs.ts';
import type { FormAnswer, PausedRun } from '#engine/run/pausedRun.ts';
import { resumeWorkflow, runWorkflow } from '#engine/run/run.ts';
import { checkMocks } from '#engine/standIns/checkMocks.ts';
import { type Piece, type PieceOrder, pieceOf } from '#engine/standIns/pieces.ts';

/** The workflow engine as the gateway uses it. This module is loaded at the first agent, with everything that nodes need. */
export class Engine {
	readonly #services: EngineServices;

	/** Ends what nodes have begun and runs on beside them: MCP servers. */
	readonly close: () => Promise<void>;

	constructor(services: EngineServices, close: () => Promise<void> = async () => {}) {
		this.#services = services;
		this.close = close;
	}

	/** Reads an agent file. Throws an error whose message names the file, the line and what is wrong. */
	readonly load = (text: string, fileName: string): LoadedAgent => {
		const agent = loadAgent(text, fileName);
		if (usesJavaScript(agent.graph)) {
			void this.#services.code.warm();
		}
		return agent;
	};

	/** Inputs as the run takes them that begins with this trigger. Throws a fault (400) in Dify's words. */
	checkInputs(
		agent: LoadedAgent,
		inputs: Readonly<Record<string, unknown>>,
		files: readonly FileObject[],
		trigger?: string,
	): Record<string, unknown> {
		return refusing(() => checkInputs(agent, inputs, files, trigger));
	}

	/** Checks what is to stand in for nodes. Throws a fault (400) that names the node. */
	checkMocks(agent: LoadedAgent, mocks: Mocks): void {
		refusing(() => checkMocks(agent, mocks));
	}

	/** Makes the piece of an agent that is to be run. Throws a fault (400) that says why it cannot be. */
	pieceOf(agent: LoadedAgent, order: PieceOrder): Piece {
		return refusing(() => pieceOf(agent, order, this.#services.files));
	}

	/** Files among the inputs, by the variable that takes them. */
	fileInputs(
		agent: LoadedAgent,
		inputs: Readonly<Record<string, unknown>>,
		trigger?: string,
	): readonly (readonly [string, readonly FileObject[]])[] {
		return startVariables(rootOf(agent.graph, trigger))
			.filter(({ type, variable }) => (type === 'file' || type === 'file-list') && inputs[variable] !== undefined)
			.map(({ variable }) => [variable, [inputs[variable]].flat() as FileObject[]]);
	}

	/** Runs an agent once; resolves when it has ended, however it did, or waits for a person. */
	run(agent: LoadedAgent, options: RunOptions): Promise<RunOutcome> {
		return runWorkflow(agent, options, this.#servicesFor(agent, options));
	}

	/** Goes on with a run that has paused; `answers` by node. */
	resume(agent: LoadedAgent, options: RunOptions, paused: PausedRun, answers: Readonly<Record<string, FormAnswer>>): Promise<RunOutcome> {
		return resumeWorkflow(agent, options, this.#servicesFor(agent, options), paused, answers);
	}

	#servicesFor({ secrets }: LoadedAgent, { runId, user, agentName, cache }: RunOptions): EngineServices {
		const services = this.#services;
		const asking = {
			runId,
			user,
			...(agentName !== undefined && { agentName }),
			...(cache !== undefined && { cache }),
			secrets,
		};
		return { ...services, models: services.models.forRun?.(asking) ?? services.models };
	}
}

/** Does what may refuse an input. Throws a fault (400) where it does. */
function refusing<T>(check: () => T): T {
	try {
		return check();
	} catch (error) {
		throw error instanceof InputError ? new ServiceFault(400, error.message, { params: error.variable }) : error;
	}
}
