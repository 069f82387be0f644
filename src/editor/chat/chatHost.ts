import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { WindowClaims } from '#base/files/windowClaims.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';
import { getErrorMessage } from '#base/problems.ts';
import { ThreadPool } from '#base/threads/threadPool.ts';
import type { Transcript } from '#pages/chat/transcript/transcript.ts';
import type { RunStory } from '#runs/events/runStory.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import type { ConversationReference } from '../explorer/conversations/conversationTypes.ts';
import { readPriceSettings } from '../platform/priceSettings.ts';
import { getWebviewRoots, renderWebviewHtml } from '../platform/webviewPage.ts';
import { escapeLinks } from '../platform/wording.ts';
import { AppActions } from './apps/appActions.ts';
import { DocumentTexts } from './attachments/documentTexts.ts';
import { createRunAttachment, findRunOfArgument } from './attachments/runAttachment.ts';
import { CodeProposals } from './code/codeProposals.ts';
import { createMessageContext } from './context/createMessageContext.ts';
import type { MessageContext } from './context/messageContext.ts';
import type { LastEditor } from './lastEditor.ts';
import { ChatPanel } from './panel/chatPanel.ts';
import type { ChatPanels } from './panel/messageHandlers.ts';
import { Openings } from './panel/openings.ts';
import { PanelHandler } from './panel/panelHandler.ts';
import { ServiceQuestions } from './panel/serviceQuestions.ts';
import { TokenGauge } from './panel/tokenGauge.ts';
import { AgentInstructions } from './prompts/agentInstructions.ts';
import { SlashCommands } from './prompts/slashCommands.ts';
import { Replies } from './replies/replies.ts';
import { Targets } from './targets.ts';
import type { AgentRunner } from './tools/agentTool.ts';
import { createToolResolver } from './tools/chosenTools.ts';
import { pickTools } from './tools/pickTools.ts';
import type { Chat } from './transcripts/chat.ts';
import { Chats } from './transcripts/chats.ts';
import { fetchConversation, listServiceConversations } from './transcripts/serviceConversations.ts';
import { ShownChat } from './transcripts/shownChat.ts';
import { TranscriptStore } from './transcripts/transcriptStore.ts';

export interface ChatHostOptions {
	readonly extensionUri: vscode.Uri;
	readonly folder: string;
	/** The windows that share `folder`. */
	readonly windows: WindowPresence;
	readonly connections: Connections;
	readonly runs: Runs;
	/** Reads what this editor stored about a run, by the run's key. */
	readonly runStory: (key: string) => Promise<RunStory>;
	/** Runs before each request to an agent. */
	readonly prepare: PrepareAgent;
	/** Runs an agent when a model in the chat calls it as a tool. */
	readonly runAgent: AgentRunner;
	/** Keeps proposed changes of files for the next window. */
	readonly memory: vscode.Memento;
	/** Finds the editor for commands that insert code or read the selection. */
	readonly editors: LastEditor;
	readonly log: vscode.LogOutputChannel;
}

/** Manages the chats, their replies, and the panels that show them. Loaded on first use. */
export class ChatHost extends DisposableBase implements ChatPanels {
	readonly chats: Chats;
	readonly replies: Replies;
	readonly targets: Targets;
	readonly editors: LastEditor;
	readonly apps: AppActions;
	readonly context: MessageContext;
	readonly instructions = this.register(new AgentInstructions());
	/** Proposed changes that the user hasn't accepted or discarded yet. */
	readonly proposals: CodeProposals;
	readonly #options: ChatHostOptions;
	readonly #threads: ThreadPool;
	readonly #handler: PanelHandler;
	readonly #shownChat: ShownChat;
	readonly #panels = new Set<ChatPanel>();
	#active: ChatPanel | undefined;
	#awaitingPanel: (() => void)[] = [];

	constructor(options: ChatHostOptions) {
		super();
		this.#options = options;
		const { connections, editors, log } = options;
		this.editors = editors;
		this.proposals = this.register(new CodeProposals(options.memory));
		const thread = pathToFileURL(path.join(options.extensionUri.fsPath, 'dist', 'taskThread.js'));
		this.#threads = new ThreadPool(thread, { maxThreads: 1, timeoutMs: 10_000, memoryMb: 512 });
		const documents = new DocumentTexts(this.#threads, vscode.l10n);
		this.context = createMessageContext(options, documents);
		const logSaveFailure = (error: unknown) => log.warn(`Couldn't save which chat is shown: ${getErrorMessage(error)}`);
		this.#shownChat = new ShownChat(options.folder, options.windows, logSaveFailure);
		const claims = new WindowClaims(options.folder, options.windows);
		const store = new TranscriptStore(options.folder, vscode.l10n);
		this.chats = new Chats({ store, claims, words: vscode.l10n, onTrouble: error => this.#showError(error) });
		this.targets = new Targets(connections, vscode.l10n, readPriceSettings);
		this.replies = new Replies(
			connections,
			this.targets,
			this.chats,
			vscode.l10n,
			options.prepare,
			createToolResolver(connections, options.runAgent),
			() => this.instructions.readText(),
		);
		const questions = new ServiceQuestions(connections, this.targets, log);
		const openings = new Openings(chat => questions.fetchParameters(chat));
		this.apps = new AppActions(connections, this.targets, openings);
		this.#handler = new PanelHandler({
			panels: this,
			connections,
			targets: this.targets,
			chats: this.chats,
			replies: this.replies,
			apps: this.apps,
			openings,
			slashCommands: new SlashCommands(editors, this.context),
			instructions: this.instructions,
			gauge: new TokenGauge(chat => questions.fetchModelLimits(chat)),
			documents,
			context: this.context,
			proposals: this.proposals,
			editors,
			log,
		});
		this.replies.setReplyCallback((chat, turn) =>
			this.apps.addSuggestions(chat, turn).catch(error => log.debug(`Couldn't get suggested questions: ${getErrorMessage(error)}`)),
		);
		const refreshPanels = () => {
			for (const panel of this.#panels) {
				panel.chat.refreshViews();
			}
		};
		this.register(connections.onDidChange(refreshPanels));
		this.register(
			connections.onDidChangeAgents(() => {
				openings.expire();
				refreshPanels();
			}),
		);
		this.register(this.instructions.onDidChange(refreshPanels));
		this.register(
			vscode.workspace.onDidChangeConfiguration(change => {
				if (change.affectsConfiguration('agentWorkbench.chat')) {
					for (const panel of this.#panels) {
						panel.refreshPage();
					}
				}
			}),
		);
	}

	/** The most recently used panel that is still open. */
	get activePanel(): ChatPanel | undefined {
		return this.#active;
	}

	/** The panel that commands attach content to: the most recently used panel, or a visible one if that panel is hidden. */
	get panelInSight(): ChatPanel | undefined {
		return this.#active?.inSight ? this.#active : ([...this.#panels].findLast(panel => panel.inSight) ?? this.#active);
	}

	/** Resolves when a panel exists, because the view opens with a delay. */
	async waitForPanel(): Promise<void> {
		if (!this.#active) {
			await new Promise<void>(resolve => this.#awaitingPanel.push(resolve));
		}
	}

	/** Shows a chat in a webview: the given one, or else the last shown one, or else a new one. */
	async attachWebview(webview: vscode.Webview, chatId?: string): Promise<ChatPanel> {
		webview.options = { enableScripts: true, localResourceRoots: getWebviewRoots(this.#options.extensionUri) };
		const id = chatId ?? this.#shownChat.id;
		const chat = (id ? await this.chats.holdChat(id).catch(error => this.#showError(error)) : undefined) ?? this.chats.createChat();
		const panel = new ChatPanel(webview, chat, this.#handler);
		this.#panels.add(panel);
		this.activatePanel(panel);
		webview.html = renderWebviewHtml(webview, this.#options.extensionUri, 'chat', vscode.l10n.t('Chat'));
		for (const resolve of this.#awaitingPanel.splice(0)) {
			resolve();
		}
		return panel;
	}

	activatePanel(panel: ChatPanel): void {
		if (this.#panels.has(panel)) {
			this.#active = panel;
			this.#shownChat.rememberChat(panel.chat.transcript.id);
		}
	}

	/** Removes a panel whose webview was disposed. */
	async detachPanel(panel: ChatPanel): Promise<void> {
		this.#panels.delete(panel);
		panel.dispose();
		if (this.#active === panel) {
			this.#active = [...this.#panels].at(-1);
		}
		await this.chats.releaseChat(panel.chat);
	}

	/** Returns the conversations that the service of the chat's agent stores for this user, or none for other endpoints. */
	async listConversations(transcript: Transcript): Promise<ConversationReference[]> {
		const { endpoint, models } = transcript;
		const connection = this.targets.getConnection(transcript);
		return endpoint === 'agent' ? listServiceConversations(this.#options.connections, connection.id, models.agent ?? '') : [];
	}

	/** Opens the chat that continues a service's conversation. Imports the conversation if there is no such chat. */
	async openConversation(reference: ConversationReference): Promise<Chat | undefined> {
		const known = (await this.chats.listChats()).find(({ conversationIds }) => conversationIds.includes(reference.conversationId));
		const id = known?.id ?? (await this.chats.importChat(await fetchConversation(this.#options.connections, reference)));
		return this.chats.holdChat(id);
	}

	/** Attaches a run to a chat, and returns the run. */
	async attachRun(chat: Chat, argument: unknown): Promise<RunRecord> {
		const { runs, runStory, connections } = this.#options;
		const run = findRunOfArgument(argument, runs);
		const attachment = await createRunAttachment(run, await runStory(run.key), connections);
		chat.updateFields({ attachments: [...chat.transcript.attachments, attachment] });
		return run;
	}

	/** Lets the user choose the tools of a chat. Rejects with a {@link Problem} if its endpoint doesn't support tools. */
	pickTools(chat: Chat): Promise<void> {
		return pickTools(chat, this.#options.connections, this.targets);
	}

	/** Shows a chat in a panel instead of its current one. Releases it if the panel was closed meanwhile. */
	async showChat(panel: ChatPanel, chat: Chat): Promise<void> {
		if (!this.#panels.has(panel)) {
			return this.chats.releaseChat(chat);
		}
		const before = panel.showChat(chat);
		this.activatePanel(panel);
		await this.chats.releaseChat(before);
	}

	/** Deletes a chat. Panels that show it get a new chat. */
	async delete(id: string): Promise<void> {
		for (const panel of this.#panels) {
			const { chat } = panel;
			if (chat.transcript.id === id) {
				this.replies.stop(chat);
				await this.chats.delete(id);
				await this.showChat(panel, this.chats.createChat(chat.transcript));
			}
		}
		await this.chats.delete(id);
	}

	override dispose(): void {
		for (const panel of this.#panels) {
			panel.dispose();
		}
		this.#panels.clear();
		void this.chats.dispose();
		void this.#threads.close();
		super.dispose();
	}

	#showError(error: unknown): undefined {
		this.#options.log.error(`Chat: ${getErrorMessage(error)}`);
		void vscode.window.showErrorMessage(escapeLinks(getErrorMessage(error)));
	}
}
