import { randomUUID } from 'node:crypto';
import { DisposableBase } from '#base/disposables.ts';
import type { WindowClaims } from '#base/files/windowClaims.ts';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import {
	type ChatPart,
	createTranscript,
	summarizeTranscript,
	type Transcript,
	type TranscriptSummary,
} from '#pages/chat/transcript/transcript.ts';
import { Chat } from './chat.ts';
import type { TranscriptStore } from './transcriptStore.ts';

interface ChatsParts {
	readonly store: TranscriptStore;
	/** Tracks which chats are open in other windows on the same folder. */
	readonly claims: WindowClaims;
	readonly words: Localization;
	/** Called with the error when a chat couldn't be saved. */
	readonly onTrouble: (error: unknown) => void;
}

/** Manages the chats on disk and those in memory. A chat is loaded once and by one window at a time. */
export class Chats extends DisposableBase {
	readonly #parts: ChatsParts;
	readonly #store: TranscriptStore;
	readonly #open = new Map<string, { chat: Chat; users: number }>();
	/** Pending loads by chat ID, so that two panels get the same chat. */
	readonly #loading = new Map<string, Promise<Chat | undefined>>();

	constructor(parts: ChatsParts) {
		super();
		this.#parts = parts;
		this.#store = parts.store;
	}

	/**
	 * Returns a chat, or undefined if it doesn't exist. The chat stays in memory until {@link releaseChat}. Rejects with a {@link Problem}
	 * `open-elsewhere` if another window has it.
	 */
	async holdChat(id: string): Promise<Chat | undefined> {
		if (!this.#open.has(id)) {
			const loading = this.#loading.get(id) ?? this.#loadChat(id);
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

	/** Creates an empty chat with the target of `from`, and keeps it until {@link releaseChat}, which deletes it if it's still empty. */
	createChat(from?: Transcript): Chat {
		const transcript = createTranscript(randomUUID(), from);
		try {
			this.#parts.claims.claimNewItem(transcript.id);
		} catch {
			// the folder isn't writable, which the first save will report
		}
		return this.#addChat(transcript, 1, true);
	}

	/**
	 * Saves an imported chat under a new ID. Drops its tools, and where its files were read, because this user must choose them: they would
	 * be read again, from anywhere, when the next message is sent, and code of replies would be applied to them.
	 */
	async importChat(transcript: Transcript): Promise<string> {
		const id = randomUUID();
		const attachments = transcript.attachments.map(({ source: _, part, ...attachment }) => ({ ...attachment, part: dropPlace(part) }));
		const turns = transcript.turns.map(turn => ({ ...turn, parts: turn.parts.map(dropPlace) }));
		await this.#store.saveTranscript({ ...transcript, id, attachments, turns, tools: [], updatedAt: Date.now() });
		return id;
	}

	/** Releases a chat. Unloads it if nothing else uses it, unless it couldn't be saved, so that a full disk loses nothing. */
	async releaseChat(chat: Chat): Promise<void> {
		const { id } = chat.transcript;
		const entry = this.#open.get(id);
		if (entry && --entry.users === 0) {
			if (!isEmptyTranscript(chat.transcript)) {
				await chat.saveChanges();
			} else {
				await chat.delete();
				if (entry.users > 0) {
					chat.restore();
				}
			}
			this.#unloadUnusedChat(id);
		}
	}

	/** Lists the chats that aren't empty, most recently changed first. */
	async listChats(): Promise<TranscriptSummary[]> {
		const open = [...this.#open.values()];
		const failing = open.filter(({ chat }) => chat.isSaveFailing);
		await Promise.all(open.map(({ chat }) => chat.saveChanges()));
		for (const { chat } of failing) {
			this.#unloadUnusedChat(chat.transcript.id);
		}
		const unsaved = open.flatMap(({ chat }) => (chat.isSaveFailing ? [summarizeTranscript(chat.transcript)] : []));
		const saved = (await this.#store.listSummaries()).filter(({ id }) => !unsaved.some(summary => summary.id === id));
		return [...unsaved, ...saved].filter(({ turns }) => turns > 0).sort((a, b) => b.updatedAt - a.updatedAt);
	}

	searchChats(text: string): Promise<Set<string>> {
		return this.#store.searchTranscripts(text);
	}

	async renameChat(id: string, title: string): Promise<void> {
		const chat = await this.holdChat(id);
		if (chat) {
			chat.updateFields({ title, named: true });
			await this.releaseChat(chat);
		}
	}

	/** Deletes a chat from disk. Its panels must show another chat first. Rejects like {@link holdChat}. */
	async delete(id: string): Promise<void> {
		const entry = this.#open.get(id);
		if (entry) {
			await entry.chat.delete();
			this.#unloadUnusedChat(id);
			return;
		}
		await this.#claimChat(id);
		try {
			await this.#store.delete(id);
		} finally {
			this.#parts.claims.releaseItem(id);
		}
	}

	/** Saves all chats synchronously. Resolves when all writes to the folder have finished. */
	override dispose(): Promise<void> {
		for (const [id, { chat }] of this.#open) {
			chat.dispose();
			this.#parts.claims.releaseItem(id);
		}
		this.#open.clear();
		super.dispose();
		return this.#store.waitForWrites();
	}

	#unloadUnusedChat(id: string): void {
		const entry = this.#open.get(id);
		if (entry?.users === 0 && !entry.chat.isSaveFailing) {
			this.#open.delete(id);
			entry.chat.dispose();
			this.#parts.claims.releaseItem(id);
		}
	}

	async #loadChat(id: string): Promise<Chat | undefined> {
		await this.#claimChat(id);
		let chat: Chat | undefined;
		try {
			const transcript = await this.#store.loadTranscript(id);
			chat = transcript && this.#addChat(transcript, 0, false);
			return chat;
		} finally {
			if (!chat) {
				this.#parts.claims.releaseItem(id);
			}
		}
	}

	async #claimChat(id: string): Promise<void> {
		if (!(await this.#parts.claims.claimItem(id))) {
			throw new Problem('open-elsewhere', this.#parts.words.t('This chat is open in another window.'));
		}
	}

	#addChat(transcript: Transcript, users: number, isNew: boolean): Chat {
		const chat = new Chat(this.#store, transcript, this.#parts.onTrouble, isNew);
		this.#open.set(transcript.id, { chat, users });
		return chat;
	}
}

/** Returns a part without the place of its file. */
function dropPlace<Part extends ChatPart>(part: Part): Part {
	if (!('uri' in part)) {
		return part;
	}
	const { uri: _, ...rest } = part;
	return rest as Part;
}

function isEmptyTranscript({ turns, attachments }: Transcript): boolean {
	return turns.length === 0 && attachments.length === 0;
}
