import type * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { parsePanelMessage } from '#pages/chat/panel/panelMessages.ts';
import type { FromHost, PanelChange, PanelHead } from '#pages/chat/panel/panelProtocol.ts';
import type { ChatChange } from '#pages/chat/transcript/chatChanges.ts';
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
export class ChatPanel extends DisposableBase {
	readonly #webview: vscode.Webview;
	readonly #owner: PanelOwner;
	#chat: Chat;
	#listening: vscode.Disposable | undefined;
	#ready = false;
	#seq = 0;
	#gathered: PanelChange[] = [];
	#pathChanged = false;
	#headChanged = false;
	#timer: NodeJS.Timeout | undefined;
	#reveal: () => void = () => undefined;
	/** Sent when the page is there. */
	#waiting: FromHost[] = [];

	constructor(webview: vscode.Webview, chat: Chat, owner: PanelOwner) {
		super();
		this.#webview = webview;
		this.#owner = owner;
		this.#chat = chat;
		this.own(webview.onDidReceiveMessage(message => this.#receive(message)));
		this.#listen();
	}

	get chat(): Chat {
		return this.#chat;
	}

	/** Whether its page is there: one that is out of sight has none. */
	get inSight(): boolean {
		return this.#ready;
	}

	/** Shows another chat; returns the one shown before. */
	show(chat: Chat): Chat {
		const before = this.#chat;
		this.#chat = chat;
		this.#listen();
		this.#sendSnapshot();
		return before;
	}

	/** The webview went out of sight: its page is gone, and comes back with `ready`. */
	hidden(): void {
		this.#ready = false;
		this.#forget();
	}

	/** Sends what changes nothing in the transcript; waits for the page. */
	post(message: Exclude<FromHost, { seq: number }>): void {
		if (this.#ready) {
			void this.#webview.postMessage(message);
		} else {
			this.#waiting.push(message);
		}
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
		this.#forget();
	}

	#listen(): void {
		this.#listening?.dispose();
		this.#forget();
		this.#listening = this.#chat.onChange(change => this.#gather(change));
	}

	#receive(raw: unknown): void {
		const message = parsePanelMessage(raw);
		if (message?.type === 'ready' || message?.type === 'resync') {
			this.#ready = true;
			this.#sendSnapshot();
			for (const waiting of this.#waiting.splice(0)) {
				void this.#webview.postMessage(waiting);
			}
		} else if (message) {
			void this.#owner.handle(this, message);
		}
	}

	#sendSnapshot(): void {
		this.#forget();
		if (this.#ready) {
			const snapshot: FromHost = {
				type: 'snapshot',
				seq: ++this.#seq,
				head: this.#owner.head(this.#chat),
				turns: this.#chat.shownTurns(),
				...this.#owner.snapshot(this.#chat),
			};
			void this.#webview.postMessage(snapshot);
		}
	}

	#gather(change: ChatChange): void {
		if (!this.#ready) {
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
		this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
	}

	#flush(): void {
		// the branch as it is now holds whatever was gathered
		const changes: PanelChange[] = this.#pathChanged ? [{ type: 'path', turns: this.#chat.shownTurns() }] : this.#gathered;
		if (this.#headChanged) {
			changes.push({ type: 'head', head: this.#owner.head(this.#chat) });
		}
		this.#forget();
		if (changes.length > 0 && this.#ready) {
			const message: FromHost = { type: 'changes', seq: ++this.#seq, changes };
			void this.#webview.postMessage(message);
		}
	}

	#forget(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#gathered = [];
		this.#pathChanged = false;
		this.#headChanged = false;
	}
}
