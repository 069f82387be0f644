import * as vscode from 'vscode';
import { runInBackground } from '../../platform/background.ts';
import { getTabIcon } from '../../platform/tabIcon.ts';
import type { ChatHost } from '../chatHost.ts';
import type { ChatPanel } from './chatPanel.ts';

interface ChatEditorsParts {
	readonly host: ChatHost;
	readonly extensionUri: vscode.Uri;
	readonly log: vscode.LogOutputChannel;
}

/** The chats in editors. A tab has the title of its chat. */
export class ChatEditors {
	readonly #parts: ChatEditorsParts;
	readonly #open = new Map<ChatPanel, vscode.WebviewPanel>();

	constructor(parts: ChatEditorsParts) {
		this.#parts = parts;
	}

	/** Shows the chat of the active panel in an editor, in a new one unless there already is one. */
	async openEditor(viewType: string): Promise<void> {
		const chat = this.#parts.host.activePanel?.chat;
		const [panel] = [...this.#open.keys()].filter(each => each.chat === chat);
		if (panel) {
			panel.focusBox();
			return;
		}
		const options = { enableScripts: true };
		const made = vscode.window.createWebviewPanel(viewType, vscode.l10n.t('Chat'), vscode.ViewColumn.Active, options);
		(await this.fillEditor(made, chat?.transcript.id)).post({ type: 'focus' });
	}

	/** Shows a chat, or the last one, in a new or restored editor. */
	async fillEditor(webviewPanel: vscode.WebviewPanel, chatId: string | undefined): Promise<ChatPanel> {
		const { host, extensionUri, log } = this.#parts;
		webviewPanel.iconPath = getTabIcon(extensionUri);
		const panel = await host.attachWebview(webviewPanel.webview, chatId);
		this.#open.set(panel, webviewPanel);
		webviewPanel.onDidChangeViewState(() => {
			if (webviewPanel.active) {
				host.activatePanel(panel);
			}
			if (!webviewPanel.visible) {
				panel.onHidden();
			}
		});
		webviewPanel.onDidDispose(() => {
			this.#open.delete(panel);
			runInBackground(host.detachPanel(panel), log, 'Chat');
		});
		panel.setReveal(() => webviewPanel.reveal());
		panel.setTitleCallback(title => {
			webviewPanel.title = title || vscode.l10n.t('Chat');
		});
		return panel;
	}
}
