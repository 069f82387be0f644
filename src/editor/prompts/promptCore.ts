import type * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { AgentsCore } from '../agents/agentsCore.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import type { RunsCore } from '../runs/runsCore.ts';
import { PromptActions } from './promptActions.ts';
import { PromptOpener } from './promptOpener.ts';
import { PromptPages } from './promptPages.ts';

interface PromptCoreParts {
	readonly extensionUri: vscode.Uri;
	readonly connections: Connections;
	readonly prepare: PrepareAgent;
	readonly runs: RunsCore;
	readonly agents: AgentsCore;
	readonly log: vscode.LogOutputChannel;
}

/** The implementation of the prompt playground. */
export class PromptCore extends DisposableBase {
	readonly pages: PromptPages;
	readonly handlers: CommandHandlers;

	constructor({ extensionUri, connections, prepare, runs, agents, log }: PromptCoreParts) {
		super();
		const readings = async () => (await agents.editing()).readings;
		this.pages = this.register(new PromptPages(extensionUri, new PromptActions({ connections, prepare, readings, log })));
		const opener = new PromptOpener({ connections, runs, agents });
		this.handlers = {
			'agentWorkbench.prompt.open': async argument => this.pages.openPrompt(await opener.createState(argument)),
		};
	}
}
