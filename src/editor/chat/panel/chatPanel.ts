import type * as vscode from 'vscode';
import { type FromPanel, parsePanelMessage } from '#pages/chat/panel/panelMessages.ts';
import type { FromHost, PanelChange, PanelHead } from '#pages/chat/panel/panelProtocol.ts';
import type { ChatChange } from '#pages/chat/transcript/chatChanges.ts';
import { WebviewPage } from '../../platform/webviewPage.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { PanelMessage } from './messageHandlers.ts';

/** Milliseconds over which changes are gathered into one message: a stream makes thousands a second. */
const gatherMs = 40;

/** What a panel asks of the chat's host side. */
export interface PanelOwner {
	head(chat: Chat): PanelHead;
	snapshot(chat: Chat): Omit<Extract<FromHost, { type: 'snapshot' }>, 'type' | 'seq' | 'head' | 'turns'>;
	handle(panel: ChatPanel, message: PanelMessage): Promise<void>;
}

/**
 * Joins one webview to the chat that it shows. The page gets a snapshot when it says that it is there, and numbered changes from then
 * on; while it is hidden nothing is sent, for a page that comes back asks anew.
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
		// the owner never rejects; what else fails goes where an uncaught error would
		super(webview, { parse: parsePanelMessage, name: 'Chat', log: console });
		this.#owner = owner;
		this.#chat = chat;
		this.#listen();
	}

	get chat(): Chat {
		return this.#chat;
	}

	/** Whether its page exists: one that is out of sight doesn't. */
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

	/** Sends what changes nothing in the transcript; waits for the page. */
	override post(message: Exclude<FromHost, { seq: number }>): void {
		this.postWhenReady(message);
	}

	/** Sets how this panel is brought into sight. */
	onReveal(reveal: () => void): void {
		this.#reveal = reveal;
	}

	/** Brings this panel into sight and gives it the focus. */
	reveal(): void {
		this.#reveal();
	}

	/** Tells the page what changed around the chat: a connection's name, a preference. */
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
			// what can be done depends on the turn that is last
			this.#headChanged = true;
		} else if (change.type === 'head') {
			this.#headChanged = true;
		} else {
			this.#gathered.push(change);
		}
		this.soon(gatherMs, () => this.#flush());
	}

	#flush(): void {
		// the branch as it is now holds whatever was gathered
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
