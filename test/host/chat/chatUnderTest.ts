import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { WindowPresence } from '#base/files/windowPresence.ts';
import type { ChatCommands } from '#editor/chat/chatCommands.ts';
import type { ChatHost, ChatHostOptions } from '#editor/chat/chatHost.ts';
import { createChat } from '#editor/chat/createChat.ts';
import { LastEditor } from '#editor/chat/lastEditor.ts';
import type { ChatPanel } from '#editor/chat/panel/chatPanel.ts';
import type { FromHost } from '#pages/chat/panel/panelProtocol.ts';
import type { RunStory } from '#runs/events/runStory.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { getExtensionUnderTest } from '../../support/editor/extensionUnderTest.ts';
import { MemoryState } from '../../support/editor/memoryState.ts';

/** A webview without a page. Tests read the host's messages, and send messages as the page. */
export class PlayedWebview {
	options: vscode.WebviewOptions = {};
	html = '';
	readonly cspSource = 'played:';
	readonly posted: FromHost[] = [];
	readonly #messages = new vscode.EventEmitter<unknown>();
	readonly onDidReceiveMessage = this.#messages.event;

	asWebviewUri(uri: vscode.Uri): vscode.Uri {
		return uri;
	}

	async postMessage(message: FromHost): Promise<boolean> {
		this.posted.push(message);
		return true;
	}

	/** Sends a message as the page. */
	sendFromPage(message: unknown): void {
		this.#messages.fire(message);
	}
}

/** The chat of a window as the extension wires it, with one visible panel. */
export class ChatUnderTest {
	readonly connections = new ConnectionsUnderTest();
	readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-chat-'));
	readonly windows = new WindowPresence(this.folder);
	readonly webview = new PlayedWebview();
	/** The runs in the history. */
	readonly runs = new Map<string, RunRecord>();
	/** The journal of each run. */
	story: RunStory = { nodes: [], more: 0 };
	readonly editors = new LastEditor();
	readonly memory: vscode.Memento;
	readonly host: ChatHost;
	readonly commands: ChatCommands;
	#panel: ChatPanel | undefined;

	/** @param memory workspace state that an earlier window may have left */
	constructor(memory: vscode.Memento = new MemoryState()) {
		this.memory = memory;
		({ host: this.host, commands: this.commands } = createChat(this.createHostOptions()));
	}

	/** Options for creating a chat. */
	createHostOptions(): ChatHostOptions {
		const never = new vscode.EventEmitter<never>().event;
		return {
			extensionUri: getExtensionUnderTest().extensionUri,
			editors: this.editors,
			memory: this.memory,
			folder: path.join(this.folder, 'chats'),
			windows: this.windows,
			connections: this.connections.registry,
			runs: { onDidChange: never, onDidRemove: never, list: () => [...this.runs.values()], get: key => this.runs.get(key) },
			runStory: async () => this.story,
			prepare: async () => {},
			runAgent: async () => new vscode.LanguageModelToolResult([]),
			log: this.connections.log.channel,
		};
	}

	/** Opens the panel and reports its page as ready. */
	async openPanel(): Promise<void> {
		this.#panel = await this.host.attachWebview(this.webview as unknown as vscode.Webview);
		this.webview.sendFromPage({ type: 'ready' });
	}

	get panel(): ChatPanel {
		if (!this.#panel) {
			throw new Error('The panel is there after open()');
		}
		return this.#panel;
	}

	/** Adds a message to the open chat, without a reply; returns the chat's ID. */
	addMessage(text: string): string {
		const { chat } = this.panel;
		chat.addTurn('user', chat.transcript.leaf, [{ kind: 'text', text }]);
		return chat.transcript.id;
	}

	async dispose(): Promise<void> {
		this.host.dispose();
		this.editors.dispose();
		await this.connections.dispose();
		fs.rmSync(this.folder, { recursive: true, force: true });
	}
}
