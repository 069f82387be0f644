import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { Targets } from '../chat/targets.ts';
import { ChatModels } from './models/chatModels.ts';
import { chooseModels } from './models/chooseModels.ts';
import { ChosenModels } from './models/chosenModels.ts';
import type { AssistantParts, toolNames } from './register.ts';
import { createAssistantWork } from './tools/agentWork.ts';
import { CheckAgentFile } from './tools/checkAgentFile.ts';
import { ExplainRun } from './tools/explainRun.ts';
import { ListAgents } from './tools/listAgents.ts';
import { RunAgent } from './tools/runAgent.ts';
import type { ToolInput } from './tools/toolInput.ts';

/** A tool that has both `invoke` and `prepareInvocation`, which describes the call to the user. */
type Tool = Required<vscode.LanguageModelTool<ToolInput>>;

/** Implements the models and tools for VS Code's AI. Loaded on first use, as a separate chunk. */
export class AssistantCore extends DisposableBase {
	readonly models: ChatModels;
	readonly tools: Readonly<Record<(typeof toolNames)[number], Tool>>;
	readonly runAgent: RunAgent;
	/** Lets the user choose which models and agents VS Code's chat lists. */
	readonly choose: () => Promise<void>;

	/** `changed` is called when the list of models changes. */
	constructor({ connections, runs, agents, log }: AssistantParts, changed: () => void) {
		super();
		const loadWork = async () => createAssistantWork(...(await Promise.all([runs.load(), agents.load()])));
		const targets = new Targets(connections, vscode.l10n);
		const chosen = this.register(new ChosenModels(log));
		this.models = new ChatModels({ connections, targets, prepare: runs.prepare, chosen });
		this.runAgent = new RunAgent(connections, loadWork);
		this.tools = {
			listAgents: new ListAgents(connections),
			runAgent: this.runAgent,
			checkAgentFile: new CheckAgentFile(loadWork),
			explainRun: new ExplainRun(connections, runs.records, loadWork),
		};
		this.choose = () => chooseModels(connections, targets, chosen);
		this.register(chosen.onDidChange(changed));
		// VS Code shows the name of the connection next to each model
		this.register(connections.onDidChange(changed));
	}
}
