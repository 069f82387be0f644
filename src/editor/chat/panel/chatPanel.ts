import type * as vscode from 'vscode';
import { type FromPanel, parsePanelMessage } from '#pages/chat/panel/panelMessages.ts';
import type { FromHost, PanelChange, PanelHead } from '#pages/chat/panel/panelProtocol.ts';
import type { ChatChange } from '#pages/chat/transcript/chatChanges.ts';
import { WebviewPage } from '../../platform/webviewPage.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { PanelMessage } from './messageHandlers.ts';

/** Milliseconds over which changes are collected into one message, because streaming makes thousands of changes per second. */
const gatherMs = 40;
/**
 * Interval after a message with more than {@link fastText} UTF-16 units. It is longer, because nobody reads that fast and the page renders
 * after each message.
 */
const fastGatherMs = 100;
const fastText = 200;

/** Provides the content of panels and handles their messages. */
export interface PanelOwner {
	getHead(chat: Chat): PanelHead;
	getSnapshot(chat: Chat): Omit<Extract<FromHost, { type: 'snapshot' }>, 'type' | 'seq' | 'head' | 'turns'>;
	handleMessage(panel: ChatPanel, message: PanelMessage): Promise<void>;
}

/**
 * Connects a webview to the chat it shows. Sends a snapshot when the page is ready, then numbered changes. Sends nothing to a hidden page,
 * which requests a new snapshot when it's visible again.
 */
export class ChatPanel extends WebviewPage<FromPanel, FromHost> {
	readonly #owner: PanelOwner;
	#chat: Chat;
	#listening: vscode.Disposable | undefined;
	#gathered: PanelChange[] = [];
	/** True if the last message had much text. */
	#isFast = false;
	#pathChanged = false;
	#headChanged = false;
	#reveal: () => void = () => undefined;
	#showTitle: (title: string) => void = () => undefined;

	constructor(webview: vscode.Webview, chat: Chat, owner: PanelOwner) {
		// the owner handles its errors itself; others go to the console, like uncaught errors
		super(webview, { parse: parsePanelMessage, name: 'Chat', log: console });
		this.#owner = owner;
		this.#chat = chat;
		this.#subscribeToChat();
	}

	get chat(): Chat {
		return this.#chat;
	}

	/** True if the panel's page is loaded. A hidden panel has no page. */
	get inSight(): boolean {
		return this.isReady;
	}

	/** Shows another chat. Returns the one shown before. */
	showChat(chat: Chat): Chat {
		const before = this.#chat;
		this.#chat = chat;
		this.#subscribeToChat();
		this.#sendSnapshot();
		return before;
	}

	override onHidden(): void {
		super.onHidden();
		this.#clearQueue();
	}

	/** Sends a message that doesn't change the transcript when the page is ready. */
	override post(message: Exclude<FromHost, { seq: number }>): void {
		this.postWhenReady(message);
	}

	/** Sets the function that shows this panel. */
	setReveal(reveal: () => void): void {
		this.#reveal = reveal;
	}

	/** Sets the function that shows the title of the chat, which is empty for a new one. */
	setTitleCallback(showTitle: (title: string) => void): void {
		this.#showTitle = showTitle;
		showTitle(this.#chat.transcript.title);
	}

	/** Shows this panel and focuses its message box. */
	focusBox(): void {
		this.#reveal();
		this.post({ type: 'focus' });
	}

	/** Focuses the message box when a picker or dialog is closed. VS Code would focus the text editor, which would get what the user types next. */
	async returnFocus<T>(picker: Promise<T>): Promise<T> {
		try {
			return await picker;
		} finally {
			this.focusBox();
		}
	}

	/** Updates the page after changes outside the chat, such as a connection's name or a preference. */
	refreshPage(): void {
		this.#sendSnapshot();
	}

	override dispose(): void {
		super.dispose();
		this.#listening?.dispose();
		// a closed webview can't be shown
		this.#reveal = () => undefined;
	}

	#subscribeToChat(): void {
		this.#listening?.dispose();
		this.#clearQueue();
		this.#showTitle(this.#chat.transcript.title);
		this.#listening = this.#chat.addChangeListener(change => this.#queueChange(change));
	}

	protected override handleMessage(message: FromPanel): void {
		if (message.type === 'ready' || message.type === 'resync') {
			this.#clearQueue();
			this.startPage(this.#createSnapshot());
		} else {
			void this.#owner.handleMessage(this, message);
		}
	}

	#sendSnapshot(): void {
		this.#clearQueue();
		if (this.isReady) {
			void this.send(this.#createSnapshot());
		}
	}

	#createSnapshot(): FromHost {
		return {
			type: 'snapshot',
			seq: this.takeNextSeq(),
			head: this.#owner.getHead(this.#chat),
			turns: this.#chat.getShownTurns(),
			...this.#owner.getSnapshot(this.#chat),
		};
	}

	#queueChange(change: ChatChange): void {
		if (change.type !== 'textAdded') {
			this.#showTitle(this.#chat.transcript.title);
		}
		if (!this.isReady) {
			return;
		}
		const last = this.#gathered.at(-1);
		if (change.type === 'textAdded' && last?.type === 'textAdded' && last.turn === change.turn && last.index === change.index) {
			this.#gathered[this.#gathered.length - 1] = { ...last, text: last.text + change.text };
		} else if (change.type === 'path') {
			this.#pathChanged = true;
			// the available actions depend on the last turn
			this.#headChanged = true;
		} else if (change.type === 'head') {
			this.#headChanged = true;
		} else {
			this.#gathered.push(change);
		}
		this.schedule(this.#isFast ? fastGatherMs : gatherMs, () => this.#sendChanges());
	}

	#sendChanges(): void {
		// if another branch is shown now, send it as a whole; it includes all collected changes
		const changes: PanelChange[] = this.#pathChanged ? [{ type: 'path', turns: this.#chat.getShownTurns() }] : this.#gathered;
		if (this.#headChanged) {
			changes.push({ type: 'head', head: this.#owner.getHead(this.#chat) });
		}
		this.#isFast = changes.reduce((sum, change) => sum + (change.type === 'textAdded' ? change.text.length : 0), 0) > fastText;
		this.#clearQueue();
		if (changes.length > 0 && this.isReady) {
			void this.send({ type: 'changes', seq: this.takeNextSeq(), changes });
		}
	}

	#clearQueue(): void {
		this.cancelScheduled();
		this.#gathered = [];
		this.#pathChanged = false;
		this.#headChanged = false;
	}
}
