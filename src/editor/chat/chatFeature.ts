import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';
import type { RunStory } from '#runs/events/runStory.ts';
import type { Runs } from '#runs/runTypes.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import type { ConversationReference } from '../explorer/conversations/conversationTypes.ts';
import { background } from '../platform/background.ts';
import type { CommandRegistrar } from '../platform/commands.ts';
import { tabIcon } from '../platform/tabIcon.ts';
import type { ChatCommands } from './chatCommands.ts';
import type { ChatHost } from './chatHost.ts';
import { LastEditor } from './lastEditor.ts';
import type { ChatPanel } from './panel/chatPanel.ts';
import type { RunAgent } from './tools/agentTool.ts';

/** View and panel type of the chat. */
const chatViewId = 'agentWorkbench.chat';

type ChatVerb = CommandId extends infer Id ? (Id extends `agentWorkbench.chat.${infer Verb}` ? Verb : never) : never;

/** What the chat needs of the extension. */
export interface ChatFeatureOptions {
	readonly context: vscode.ExtensionContext;
	/** Folder of this workspace's data. */
	readonly dataFolder: string;
	/** The windows that share it. */
	readonly windows: WindowPresence;
	readonly connections: Connections;
	readonly runs: Runs;
	/** What is kept of a run, by its key. */
	readonly runStory: (key: string) => Promise<RunStory>;
	/** Before an agent is asked. */
	readonly prepare: PrepareAgent;
	/** Runs an agent that a model of the chat calls as a tool. */
	readonly runAgent: RunAgent;
	readonly commands: CommandRegistrar;
	readonly log: vscode.LogOutputChannel;
}

/** The chat's view, editor and commands. All of it exists at once; its code comes with the first use. */
export class ChatFeature extends DisposableBase {
	readonly #options: ChatFeatureOptions;
	/** From the start: once the chat has the focus it is too late to see which editor had it. */
	readonly #editors = this.own(new LastEditor());
	#loading: Promise<{ host: ChatHost; commands: ChatCommands }> | undefined;

	constructor(options: ChatFeatureOptions) {
		super();
		this.#options = options;
		const { window } = vscode;
		this.own(window.registerWebviewViewProvider(chatViewId, { resolveWebviewView: view => this.#resolveView(view) }));
		this.own(
			window.registerWebviewPanelSerializer(chatViewId, {
				deserializeWebviewPanel: (panel, state: { chatId?: unknown } | undefined) =>
					this.#fillPanel(panel, typeof state?.chatId === 'string' ? state.chatId : undefined),
			}),
		);
		this.#register('openInEditor', () => this.#openInEditor());
		this.#register('new', async () => (await this.#shown()).commands.newChat());
		this.#register('list', async () => (await this.#shown()).commands.list());
		this.#register('tools', async () => (await this.#shown()).commands.pickTools());
		this.#register('annotations', async () => (await this.#shown()).commands.annotations());
		this.#register('variables', async () => (await this.#shown()).commands.variables());
		this.#register('rename', async () => (await this.#shown()).commands.rename());
		this.#register('delete', async () => (await this.#shown()).commands.delete());
		this.#register('export', async () => (await this.#shown()).commands.export());
		this.#register('import', async () => (await this.#shown()).commands.import());
		this.#register('askAboutSelection', async () => (await this.#shown()).commands.askAboutSelection());
		this.#register('askAboutRun', async (run: unknown) => (await this.#shown()).commands.askAboutRun(run));
		this.#register('openConversation', async (conversation: unknown) =>
			(await this.#shown()).commands.openConversation(conversation as ConversationReference),
		);
		this.#register('withAgent', async (agent: unknown) => (await this.#shown()).commands.withAgent(agent));
		this.#register('acceptCode', async () => (await this.#load()).host.proposals.accept());
		this.#register('discardCode', async () => (await this.#load()).host.proposals.discard());
		this.#register('addFile', async (uri?: unknown, uris?: unknown) => (await this.#shown()).commands.addFiles(uri, uris));
	}

	#register(verb: ChatVerb, handler: (...args: unknown[]) => unknown): void {
		this.own(this.#options.commands.register(`agentWorkbench.chat.${verb}`, handler));
	}

	#load(): Promise<{ host: ChatHost; commands: ChatCommands }> {
		this.#loading ??= this.#create();
		return this.#loading;
	}

	async #create(): Promise<{ host: ChatHost; commands: ChatCommands }> {
		const { context, dataFolder, windows, connections, runs, runStory, prepare, runAgent, log } = this.#options;
		const { createChat } = await import('./createChat.ts');
		const chat = createChat({
			extensionUri: context.extensionUri,
			folder: path.join(dataFolder, 'chats'),
			windows,
			connections,
			runs,
			runStory,
			prepare,
			runAgent,
			editors: this.#editors,
			log,
		});
		this.own(chat.host);
		return chat;
	}

	/** The chat with a panel in sight: the one used last, else the view. */
	async #shown(): Promise<{ host: ChatHost; commands: ChatCommands }> {
		const chat = await this.#load();
		if (!chat.host.activePanel) {
			await vscode.commands.executeCommand(`${chatViewId}.focus`);
			await chat.host.firstPanel();
		}
		return chat;
	}

	async #resolveView(view: vscode.WebviewView): Promise<void> {
		const { host } = await this.#load();
		const panel = await host.attach(view.webview);
		view.onDidChangeVisibility(() => (view.visible ? host.activate(panel) : panel.hidden()));
		view.onDidDispose(() => background(host.detach(panel), this.#options.log, 'Chat'));
		panel.onReveal(() => view.show(false));
	}

	async #openInEditor(): Promise<void> {
		const { host } = await this.#load();
		const shown = host.activePanel?.chat.transcript.id;
		const panel = vscode.window.createWebviewPanel(chatViewId, vscode.l10n.t('Chat'), vscode.ViewColumn.Active, { enableScripts: true });
		await this.#fillPanel(panel, shown);
	}

	async #fillPanel(webviewPanel: vscode.WebviewPanel, chatId: string | undefined): Promise<void> {
		const { host } = await this.#load();
		webviewPanel.iconPath = tabIcon(this.#options.context.extensionUri);
		const panel: ChatPanel = await host.attach(webviewPanel.webview, chatId);
		webviewPanel.onDidChangeViewState(() => {
			if (webviewPanel.active) {
				host.activate(panel);
			}
			if (!webviewPanel.visible) {
				panel.hidden();
			}
		});
		webviewPanel.onDidDispose(() => background(host.detach(panel), this.#options.log, 'Chat'));
		panel.onReveal(() => webviewPanel.reveal());
	}
}
