import { randomUUID } from 'node:crypto';
import { DisposableBase } from '../common/disposables.ts';
import { Chat } from './chat.ts';
import { newTranscript, type Transcript, type TranscriptSummary } from './transcript.ts';
import type { TranscriptStore } from './transcriptStore.ts';

/** The chats of this window: those in memory, each once, over those on disk. */
export class Chats extends DisposableBase {
	readonly #store: TranscriptStore;
	readonly #onSaveFailed: (error: unknown) => void;
	readonly #open = new Map<string, { chat: Chat; users: number }>();
	/** Loads under way, so that two panels get one chat. */
	readonly #loading = new Map<string, Promise<Chat | undefined>>();

	constructor(store: TranscriptStore, onSaveFailed: (error: unknown) => void) {
		super();
		this.#store = store;
		this.#onSaveFailed = onSaveFailed;
	}

	/** A chat by its ID, held until {@link release}; undefined where there is none. */
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

	/** A new, empty chat that talks to what `from` talked to; held. It leaves no trace if nothing is written into it. */
	create(from?: Transcript): Chat {
		return this.#add(newTranscript(randomUUID(), from), 1);
	}

	/** Takes in a chat from elsewhere under a new ID, and keeps it. */
	async import(transcript: Transcript): Promise<string> {
		const id = randomUUID();
		await this.#store.save({ ...transcript, id, updatedAt: Date.now() });
		return id;
	}

	/** Gives a chat back; one that nobody holds leaves the memory. */
	async release(chat: Chat): Promise<void> {
		const { id } = chat.transcript;
		const entry = this.#open.get(id);
		if (entry && --entry.users === 0) {
			await (isEmpty(chat.transcript) ? chat.delete() : chat.flush());
			if (entry.users === 0) {
				this.#open.delete(id);
				chat.dispose();
			}
		}
	}

	/** Chats on disk and in memory, last changed first. Empty ones are left out. */
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

	/** Deletes a chat from the disk. Panels that show it must be given another first. */
	async delete(id: string): Promise<void> {
		const entry = this.#open.get(id);
		await (entry ? entry.chat.delete() : this.#store.delete(id));
	}

	override dispose(): void {
		for (const { chat } of this.#open.values()) {
			chat.dispose();
		}
		this.#open.clear();
		super.dispose();
	}

	async #load(id: string): Promise<Chat | undefined> {
		const transcript = await this.#store.load(id);
		return transcript && this.#add(transcript, 0);
	}

	#add(transcript: Transcript, users: number): Chat {
		const chat = new Chat(this.#store, transcript, this.#onSaveFailed);
		this.#open.set(transcript.id, { chat, users });
		return chat;
	}
}

function isEmpty({ turns, attachments }: Transcript): boolean {
	return turns.length === 0 && attachments.length === 0;
}
