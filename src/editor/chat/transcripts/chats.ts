import { randomUUID } from 'node:crypto';
import { DisposableBase } from '#base/disposables.ts';
import type { WindowClaims } from '#base/files/windowClaims.ts';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import { createTranscript, type Transcript, type TranscriptSummary } from '#pages/chat/transcript/transcript.ts';
import { Chat } from './chat.ts';
import type { TranscriptStore } from './transcriptStore.ts';

interface ChatsParts {
	readonly store: TranscriptStore;
	/** Knows which chats are open in other windows on the same folder. */
	readonly claims: WindowClaims;
	readonly words: Localization;
	/** Called with the errors of chats that couldn't be saved. */
	readonly onTrouble: (error: unknown) => void;
}

/** The chats of this window: those in memory, each loaded once and open in no other window, and those on disk. */
export class Chats extends DisposableBase {
	readonly #parts: ChatsParts;
	readonly #store: TranscriptStore;
	readonly #open = new Map<string, { chat: Chat; users: number }>();
	/** Pending loads, so that two panels get the same chat. */
	readonly #loading = new Map<string, Promise<Chat | undefined>>();

	constructor(parts: ChatsParts) {
		super();
		this.#parts = parts;
		this.#store = parts.store;
	}

	/**
	 * Returns a chat and holds it until {@link release}; undefined if it doesn't exist. Rejects with a {@link Problem} `open-elsewhere` if
	 * another window has it.
	 */
	async hold(id: string): Promise<Chat | undefined> {
		if (!this.#open.has(id)) {
			const loading = this.#loading.get(id) ?? this.#load(id);
			this.#loading.set(id, loading);
			try {
				await loading;
			} finally {
				this.#loading.delete(id);
			}
		}
		const entry = this.#open.get(id);
		if (entry) {
			entry.users++;
		}
		return entry?.chat;
	}

	/** Creates and holds an empty chat with the target of `from`. It's deleted again if it stays empty. */
	create(from?: Transcript): Chat {
		const transcript = createTranscript(randomUUID(), from);
		try {
			this.#parts.claims.claimNewItem(transcript.id);
		} catch {
			// the folder isn't writable: the first save reports that
		}
		return this.#add(transcript, 1);
	}

	/** Saves a chat from elsewhere under a new ID, without its tools: its new user must choose them. */
	async import(transcript: Transcript): Promise<string> {
		const id = randomUUID();
		await this.#store.save({ ...transcript, id, tools: [], updatedAt: Date.now() });
		return id;
	}

	/** Releases a held chat; unloads it if it was the last hold. */
	async release(chat: Chat): Promise<void> {
		const { id } = chat.transcript;
		const entry = this.#open.get(id);
		if (entry && --entry.users === 0) {
			await (isEmpty(chat.transcript) ? chat.delete() : chat.flush());
			if (entry.users === 0) {
				this.#open.delete(id);
				chat.dispose();
				this.#parts.claims.releaseItem(id);
			}
		}
	}

	/** Lists the chats that aren't empty, last changed first. */
	async list(): Promise<TranscriptSummary[]> {
		await Promise.all([...this.#open.values()].map(({ chat }) => chat.flush()));
		const summaries = await this.#store.list();
		return summaries.filter(summary => summary.turns > 0);
	}

	search(text: string): Promise<Set<string>> {
		return this.#store.search(text);
	}

	async rename(id: string, title: string): Promise<void> {
		const chat = await this.hold(id);
		if (chat) {
			chat.update({ title, named: true });
			await this.release(chat);
		}
	}

	/** Deletes a chat from disk. Its panels must show another chat first. Rejects like {@link hold}. */
	async delete(id: string): Promise<void> {
		const entry = this.#open.get(id);
		if (entry) {
			await entry.chat.delete();
			return;
		}
		await this.#claim(id);
		try {
			await this.#store.delete(id);
		} finally {
			this.#parts.claims.releaseItem(id);
		}
	}

	/** All chats are saved when it returns; resolves when nothing writes to the folder any more. */
	override dispose(): Promise<void> {
		for (const [id, { chat }] of this.#open) {
			chat.dispose();
			this.#parts.claims.releaseItem(id);
		}
		this.#open.clear();
		super.dispose();
		return this.#store.waitForWrites();
	}

	async #load(id: string): Promise<Chat | undefined> {
		await this.#claim(id);
		let chat: Chat | undefined;
		try {
			const transcript = await this.#store.load(id);
			chat = transcript && this.#add(transcript, 0);
			return chat;
		} finally {
			if (!chat) {
				this.#parts.claims.releaseItem(id);
			}
		}
	}

	async #claim(id: string): Promise<void> {
		if (!(await this.#parts.claims.claimItem(id))) {
			throw new Problem('open-elsewhere', this.#parts.words.t('This chat is open in another window.'));
		}
	}

	#add(transcript: Transcript, users: number): Chat {
		const chat = new Chat(this.#store, transcript, this.#parts.onTrouble);
		this.#open.set(transcript.id, { chat, users });
		return chat;
	}
}

function isEmpty({ turns, attachments }: Transcript): boolean {
	return turns.length === 0 && attachments.length === 0;
}
