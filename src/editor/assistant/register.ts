import * as vscode from 'vscode';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { AgentsFeature } from '../agents/register.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { FeatureParts } from '../platform/feature.ts';
import type { RunsFeature } from '../runs/register.ts';
import type { RunAgent } from './tools/runAgent.ts';
import type { ToolInput } from './tools/toolInput.ts';

export interface AssistantParts extends FeatureParts {
	readonly connections: Connections;
	readonly runs: RunsFeature;
	readonly agents: AgentsFeature;
}

interface Assistant {
	/** Runs an agent like the language model tool does, but doesn't ask for confirmation. */
	readonly runAgent: (...asked: Parameters<RunAgent['invoke']>) => ReturnType<RunAgent['invoke']>;
}

/** Names of the tools without the prefix `agentWorkbench_`. */
export const toolNames = ['listAgents', 'runAgent', 'checkAgentFile', 'explainRun'] as const;

/** Registers models and tools for VS Code's AI. Their implementation, `AssistantCore`, loads on first use. */
export function registerAssistant(parts: AssistantParts): Assistant {
	const { commands, own } = parts;
	const changed = own(new vscode.EventEmitter<void>());
	const load = createLazyLoader(async () => {
		const loaded = await import('./assistantCore.ts');
		return own(new loaded.AssistantCore(parts, () => changed.fire()));
	});
	own(
		vscode.lm.registerLanguageModelChatProvider('agent-workbench', {
			onDidChangeLanguageModelChatInformation: changed.event,
			provideLanguageModelChatInformation: async (...asked) => (await load()).models.provideLanguageModelChatInformation(...asked),
			provideLanguageModelChatResponse: async (...asked) => (await load()).models.provideLanguageModelChatResponse(...asked),
			provideTokenCount: async (model, text) => (await load()).models.provideTokenCount(model, text),
		}),
	);
	for (const name of toolNames) {
		own(
			vscode.lm.registerTool<ToolInput>(`agentWorkbench_${name}`, {
				prepareInvocation: async (...asked) => (await load()).tools[name].prepareInvocation(...asked),
				invoke: async (...asked) => (await load()).tools[name].invoke(...asked),
			}),
		);
	}
	own(commands.register('agentWorkbench.assistant.chooseModels', async () => (await load()).choose()));
	return { runAgent: async (...asked) => (await load()).runAgent.invoke(...asked) };
}
