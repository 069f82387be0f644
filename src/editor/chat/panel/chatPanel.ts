import type * as vscode from 'vscode';
import { type FromPanel, parsePanelMessage } from '#pages/chat/panel/panelMessages.ts';
import type { FromHost, PanelChange, PanelHead } from '#pages/chat/panel/panelProtocol.ts';
import type { ChatChange } from '#pages/chat/transcript/chatChanges.ts';
import { WebviewPage } from '../../platform/webviewPage.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { PanelMessage } from './messageHandlers.ts';

/** Milliseconds over which changes are collected into one message: streaming makes thousands a second. */
const gatherMs = 40;

/** Provides the content of panels and handles their messages. */
export interface PanelOwner {
	head(chat: Chat): PanelHead;
	snapshot(chat: Chat): Omit<Extract<FromHost, { type: 'snapshot' }>, 'type' | 'seq' | 'head' | 'turns'>;
	handle(panel: ChatPanel, message: PanelMessage): Promise<void>;
}

/**
 * Connects a webview to the chat it shows. A page that is ready gets a snapshot and then numbered changes. A hidden page gets nothing and
 * asks for a new snapshot when it's visible again.
 */
export class ChatPanel extends WebviewPage<FromPanel, FromHost> {
	readonly #owner: PanelOwner;
	#chat: Chat;
	#listening: vscode.Disposable | undefined;
	#gathered: PanelChange[] = [];
	#pathChanged = false;
	#headChanged = false;
	#reveal: () => void = () => undefined;

	constructor(webview: vscode.Webview, chat: Chat, owner: PanelOwner) {
		// the owner never rejects; other errors go to the console like uncaught ones
		super(webview, { parse: parsePanelMessage, name: 'Chat', log: console });
		this.#owner = owner;
		this.#chat = chat;
		this.#listen();
	}

	get chat(): Chat {
		return this.#chat;
	}

	/** True if its page is loaded; hidden panels have none. */
	get inSight(): boolean {
		return this.isReady;
	}

	/** Shows another chat; returns the one shown before. */
	show(chat: Chat): Chat {
		const before = this.#chat;
		this.#chat = chat;
		this.#listen();
		this.#sendSnapshot();
		return before;
	}

	override hidden(): void {
		super.hidden();
		this.#forget();
	}

	/** Sends a message that doesn't change the transcript; waits until the page is ready. */
	override post(message: Exclude<FromHost, { seq: number }>): void {
		this.postWhenReady(message);
	}

	/** Sets the function that shows this panel. */
	onReveal(reveal: () => void): void {
		this.#reveal = reveal;
	}

	/** Shows this panel and focuses it. */
	reveal(): void {
		this.#reveal();
	}

	/** Updates the page after changes outside the chat, such as a connection's name or a preference. */
	refresh(): void {
		this.#sendSnapshot();
	}

	override dispose(): void {
		super.dispose();
		this.#listening?.dispose();
	}

	#listen(): void {
		this.#listening?.dispose();
		this.#forget();
		this.#listening = this.#chat.onChange(change => this.#gather(change));
	}

	protected override handle(message: FromPanel): void {
		if (message.type === 'ready' || message.type === 'resync') {
			this.#forget();
			this.begin(this.#snapshot());
		} else {
			void this.#owner.handle(this, message);
		}
	}

	#sendSnapshot(): void {
		this.#forget();
		if (this.isReady) {
			void this.send(this.#snapshot());
		}
	}

	#snapshot(): FromHost {
		return {
			type: 'snapshot',
			seq: this.nextSeq(),
			head: this.#owner.head(this.#chat),
			turns: this.#chat.shownTurns(),
			...this.#owner.snapshot(this.#chat),
		};
	}

	#gather(change: ChatChange): void {
		if (!this.isReady) {
			return;
		}
		const last = this.#gathered.at(-1);
		if (change.type === 'textAdded' && last?.type === 'textAdded' && last.turn === change.turn && last.index === change.index) {
			this.#gathered[this.#gathered.length - 1] = { ...last, text: last.text + change.text };
		} else if (change.type === 'path') {
			this.#pathChanged = true;
			// available actions depend on the last turn
			this.#headChanged = true;
		} else if (change.type === 'head') {
			this.#headChanged = true;
		} else {
			this.#gathered.push(change);
		}
		this.soon(gatherMs, () => this.#flush());
	}

	#flush(): void {
		// the current branch includes all collected changes
		const changes: PanelChange[] = this.#pathChanged ? [{ type: 'path', turns: this.#chat.shownTurns() }] : this.#gathered;
		if (this.#headChanged) {
			changes.push({ type: 'head', head: this.#owner.head(this.#chat) });
		}
		this.#forget();
		if (changes.length > 0 && this.isReady) {
			void this.send({ type: 'changes', seq: this.nextSeq(), changes });
		}
	}

	#forget(): void {
		this.cancelSoon();
		this.#gathered = [];
		this.#pathChanged = false;
		this.#headChanged = false;
	}
}
