import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { Runs } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { RunWithStory } from '../../runs/following/runReader.ts';
import type { AssistantWork } from './agentWork.ts';
import { describeRun } from './runDescription.ts';
import { findTargetAgent } from './targetAgent.ts';
import { readOptionalText, type ToolInput } from './toolInput.ts';
import { createToolResult } from './toolResult.ts';

/** Describes a run by its ID, or the latest run of this editor. Runs started elsewhere are read from the agent's service. */
export class ExplainRun implements vscode.LanguageModelTool<ToolInput> {
	readonly #connections: Connections;
	readonly #runs: Runs;
	readonly #work: () => Promise<AssistantWork>;

	constructor(connections: Connections, runs: Runs, work: () => Promise<AssistantWork>) {
		this.#connections = connections;
		this.#runs = runs;
		this.#work = work;
	}

	prepareInvocation(): vscode.PreparedToolInvocation {
		return { invocationMessage: vscode.l10n.t('Reading run') };
	}

	async invoke({ input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<ToolInput>, token: vscode.CancellationToken) {
		const run = await this.#findRun(input);
		return createToolResult(
			{ ...(run.story.inputs !== undefined && { inputs: run.story.inputs }), ...describeRun(run) },
			tokenizationOptions,
			token,
		);
	}

	async #findRun(input: ToolInput): Promise<RunWithStory> {
		const [run, agent, server] = [readOptionalText(input, 'run'), readOptionalText(input, 'agent'), readOptionalText(input, 'server')];
		const own = this.#runs
			.list(agent === undefined ? {} : { agent })
			.find(each => run === undefined || each.runId === run || each.key === run);
		const work = await this.#work();
		if (own) {
			return work.readRun(own);
		}
		if (run === undefined) {
			throw new Problem(
				'not-found',
				vscode.l10n.t("This run isn't in the editor's run history. Pass its ID as 'run' and the name of its agent as 'agent'."),
			);
		}
		if (agent === undefined) {
			throw new Problem(
				'not-found',
				vscode.l10n.t("Run '{0}' wasn't started in this editor. Also pass the name of its agent as 'agent'.", run),
			);
		}
		const { connection } = await findTargetAgent(this.#connections, agent, server);
		try {
			return await work.readServiceRun({ connectionId: connection.id, agentName: agent, runId: run });
		} catch (error) {
			throw this.#connections.toProblem(connection.id, error);
		}
	}
}
