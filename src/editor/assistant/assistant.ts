import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { loadedOnce } from '#base/timing/loadedOnce.ts';
import type { Runs } from '#runs/runTypes.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import type { CommandRegistrar } from '../platform/commands.ts';
import type { AgentWork } from './tools/agentWork.ts';
import type { RunAgent } from './tools/runAgent.ts';
import type { ToolInput } from './tools/toolInput.ts';

/** What the rooms for VS Code's own AI need of the extension. */
export interface AssistantParts {
	readonly connections: Connections;
	/** Before an agent is asked. */
	readonly prepare: PrepareAgent;
	readonly runs: Runs;
	/** What is done with agent files and runs. */
	readonly work: () => Promise<AgentWork>;
	readonly commands: CommandRegistrar;
	readonly log: vscode.LogOutputChannel;
}

/** Names of the tools, after `agentWorkbench_`. */
export const toolNames = ['listAgents', 'runAgent', 'checkAgentFile', 'explainRun'] as const;

/** Models and tools for VS Code's own AI: registered at once; what does the work is loaded on first use (`AssistantCore`). */
export class Assistant extends DisposableBase {
	/** Runs an agent, as the tool does, without its card. */
	readonly runAgent: (...asked: Parameters<RunAgent['invoke']>) => ReturnType<RunAgent['invoke']>;

	constructor({ commands, ...parts }: AssistantParts) {
		super();
		const changed = this.own(new vscode.EventEmitter<void>());
		const load = loadedOnce(async () => {
			const { AssistantCore } = await import('./assistantCore.ts');
			return this.own(new AssistantCore(parts, () => changed.fire()));
		});
		this.own(
			vscode.lm.registerLanguageModelChatProvider('agent-workbench', {
				onDidChangeLanguageModelChatInformation: changed.event,
				provideLanguageModelChatInformation: async (...asked) => (await load()).models.provideLanguageModelChatInformation(...asked),
				provideLanguageModelChatResponse: async (...asked) => (await load()).models.provideLanguageModelChatResponse(...asked),
				provideTokenCount: async (model, text) => (await load()).models.provideTokenCount(model, text),
			}),
		);
		for (const name of toolNames) {
			this.own(
				vscode.lm.registerTool<ToolInput>(`agentWorkbench_${name}`, {
					prepareInvocation: async (...asked) => (await load()).tools[name].prepareInvocation(...asked),
					invoke: async (...asked) => (await load()).tools[name].invoke(...asked),
				}),
			);
		}
		this.runAgent = async (...asked) => (await load()).runAgent.invoke(...asked);
		this.own(commands.register('agentWorkbench.assistant.chooseModels', async () => (await load()).choose()));
	}
}
