import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { Targets } from '../chat/targets.ts';
import { ChatModels } from './models/chatModels.ts';
import { chooseModels } from './models/chooseModels.ts';
import { ChosenModels } from './models/chosenModels.ts';
import type { AssistantParts, toolNames } from './register.ts';
import { agentWorkOf } from './tools/agentWork.ts';
import { CheckAgentFile } from './tools/checkAgentFile.ts';
import { ExplainRun } from './tools/explainRun.ts';
import { ListAgents } from './tools/listAgents.ts';
import { RunAgent } from './tools/runAgent.ts';
import type { ToolInput } from './tools/toolInput.ts';

/** A tool that says what it is about to do. */
type Tool = Required<vscode.LanguageModelTool<ToolInput>>;

/** All that is needed only once VS Code's own AI asks: a chunk of its own, loaded on first use. */
export class AssistantCore extends DisposableBase {
	readonly models: ChatModels;
	readonly tools: Readonly<Record<(typeof toolNames)[number], Tool>>;
	readonly runAgent: RunAgent;
	/** Has the user choose which models and agents VS Code's chat lists. */
	readonly choose: () => Promise<void>;

	/** `changed`: other models are listed now. */
	constructor({ connections, runs, agents, log }: AssistantParts, changed: () => void) {
		super();
		const work = async () => agentWorkOf(...(await Promise.all([runs.load(), agents.load()])));
		const targets = new Targets(connections, vscode.l10n);
		const chosen = this.own(new ChosenModels(log));
		this.models = new ChatModels({ connections, targets, prepare: runs.prepare, chosen });
		this.runAgent = new RunAgent(connections, work);
		this.tools = {
			listAgents: new ListAgents(connections),
			runAgent: this.runAgent,
			checkAgentFile: new CheckAgentFile(work),
			explainRun: new ExplainRun(connections, runs.records, work),
		};
		this.choose = () => chooseModels(connections, targets, chosen);
		this.own(chosen.onDidChange(changed));
		// names of connections stand beside models
		this.own(connections.onDidChange(changed));
	}
}
