import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { messageOf } from '../common/problems.ts';
import { webviewPage, webviewRoots } from '../common/webviewPage.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { ConversationReference } from '../conversations/conversationTypes.ts';
import type { RunStory } from '../workflows/runStory.ts';
import type { Runs } from '../workflows/runTypes.ts';
import type { Chat } from './chat.ts';
import { ChatPanel } from './chatPanel.ts';
import { Chats } from './chats.ts';
import { PanelHandler } from './panelHandler.ts';
import { Replies } from './replies.ts';
import { runAttachment, runOf } from './runAttachment.ts';
import { serviceConversations, transcriptOfConversation } from './serviceConversations.ts';
import { ShownChat } from './shownChat.ts';
import { Targets } from './targets.ts';
import type { Transcript } from './transcript.ts';
import { TranscriptStore } from './transcriptStore.ts';

/** What the chat needs of the extension. */
export interface ChatHostOptions {
	readonly extensionUri: vscode.Uri;
	/** Folder of this workspace's chats. */
	readonly folder: string;
	readonly connections: Connections;
	readonly runs: Runs;
	/** What is kept of a run, by its key. */
	readonly runStory: (key: string) => Promise<RunStory>;
	readonly log: vscode.LogOutputChannel;
}

/** The chat's host side, loaded on first use: chats, replies, and the panels that show them. */
export class ChatHost extends DisposableBase {
	readonly chats: Chats;
	readonly replies: Replies;
	readonly targets: Targets;
	readonly #options: ChatHostOptions;
	readonly #handler: PanelHandler;
	readonly #shownChat: ShownChat;
	readonly #panels = new Set<ChatPanel>();
	#active: ChatPanel | undefined;
	#awaitingPanel: (() => void)[] = [];

	constructor(options: ChatHostOptions) {
		super();
		this.#options = options;
		const { connections, log } = options;
		this.#shownChat = new ShownChat(options.folder);
		this.chats = new Chats(new TranscriptStore(options.folder, vscode.l10n), error => this.#tell(error));
		this.targets = new Targets(connections, vscode.l10n);
		this.replies = new Replies(connections, this.targets, this.chats, vscode.l10n);
		this.#handler = new PanelHandler({ host: this, connections, log });
		const refresh = () => {
			for (const panel of this.#panels) {
				panel.chat.update({});
			}
		};
		this.own(connections.onDidChange(refresh));
		this.own(
			vscode.workspace.onDidChangeConfiguration(change => {
				if (change.affectsConfiguration('agentWorkbench.chat')) {
					for (const panel of this.#panels) {
						panel.refresh();
					}
				}
			}),
		);
	}

	/** The panel that was used last and still exists. */
	get activePanel(): ChatPanel | undefined {
		return this.#active;
	}

	/** Resolves when a panel exists: the view that was asked for may come a little later. */
	async firstPanel(): Promise<void> {
		if (!this.#active) {
			await new Promise<void>(resolve => this.#awaitingPanel.push(resolve));
		}
	}

	/** Fills a webview with a chat: the one named, else the one shown last, else a new one. */
	async attach(webview: vscode.Webview, chatId?: string): Promise<ChatPanel> {
		webview.options = { enableScripts: true, localResourceRoots: webviewRoots(this.#options.extensionUri) };
		const id = chatId ?? this.#shownChat.id;
		const chat = (id ? await this.chats.hold(id).catch(error => this.#tell(error)) : undefined) ?? this.chats.create();
		const panel = new ChatPanel(webview, chat, this.#handler);
		this.#panels.add(panel);
		this.activate(panel);
		webview.html = webviewPage(webview, this.#options.extensionUri, 'chat', vscode.l10n.t('Chat'));
		for (const resolve of this.#awaitingPanel.splice(0)) {
			resolve();
		}
		return panel;
	}

	/** This panel is in use: commands act on it. */
	activate(panel: ChatPanel): void {
		this.#active = panel;
		this.#remember(panel.chat.transcript.id);
	}

	#remember(id: string): void {
		try {
			this.#shownChat.remember(id);
		} catch (error) {
			this.#options.log.warn(`Which chat is shown could not be kept: ${messageOf(error)}`);
		}
	}

	/** The webview is gone for good. */
	async detach(panel: ChatPanel): Promise<void> {
		this.#panels.delete(panel);
		panel.dispose();
		if (this.#active === panel) {
			this.#active = [...this.#panels].at(-1);
		}
		await this.chats.release(panel.chat);
	}

	/** The conversations that the chat's agent keeps at its service for this user; none for other endpoints. */
	async conversationsOf(transcript: Transcript): Promise<ConversationReference[]> {
		const { endpoint, models } = transcript;
		const connection = this.targets.connection(transcript);
		return endpoint === 'agent' ? serviceConversations(this.#options.connections, connection.id, models.agent ?? '') : [];
	}

	/** Takes a conversation of the service in as a chat that goes on with it; held. */
	async openConversation(reference: ConversationReference): Promise<Chat | undefined> {
		const known = (await this.chats.list()).find(({ conversationIds }) => conversationIds.includes(reference.conversationId));
		const id = known?.id ?? (await this.chats.import(await transcriptOfConversation(this.#options.connections, reference)));
		return this.chats.hold(id);
	}

	/** A run as an attachment, for a question about it. */
	async attachRun(chat: Chat, argument: unknown): Promise<void> {
		const { runs, runStory, connections } = this.#options;
		const run = runOf(argument, runs);
		const attachment = await runAttachment(run, await runStory(run.key), connections);
		chat.update({ attachments: [...chat.transcript.attachments, attachment] });
	}

	/** Shows another chat in a panel. */
	async show(panel: ChatPanel, chat: Chat): Promise<void> {
		const before = panel.show(chat);
		this.activate(panel);
		await this.chats.release(before);
	}

	/** Deletes a chat; panels that show it get a new one. */
	async delete(id: string): Promise<void> {
		for (const panel of this.#panels) {
			const { chat } = panel;
			if (chat.transcript.id === id) {
				this.replies.stop(chat);
				await this.chats.delete(id);
				await this.show(panel, this.chats.create(chat.transcript));
			}
		}
		await this.chats.delete(id);
	}

	override dispose(): void {
		for (const panel of this.#panels) {
			panel.dispose();
		}
		this.#panels.clear();
		this.chats.dispose();
		super.dispose();
	}

	#tell(error: unknown): undefined {
		this.#options.log.error(`Chat: ${messageOf(error)}`);
		void vscode.window.showErrorMessage(messageOf(error));
	}
}
