import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DisposableBase } from '#base/disposables.ts';
import { cutText } from '#base/text/cutText.ts';
import { type ChatChange, copyPartForPage, type ShownTurn } from '#pages/chat/transcript/chatChanges.ts';
import type { ChatPart, ReplyFacts, Transcript, Turn } from '#pages/chat/transcript/transcript.ts';
import { getTurnText } from '#pages/chat/transcript/transcript.ts';
import { findNewestLeaf, findSibling, getActivePath, getBranchPositions } from '#pages/chat/transcript/turnTree.ts';
import type { PartFields } from '../endpoints/endpoint.ts';
import type { TranscriptStore } from './transcriptStore.ts';

/** Minimum milliseconds between two saves, because streaming makes many changes. */
const saveEveryMs = 800;

/** A chat in memory. It alone changes the transcript, reports every change, and saves it shortly after. */
export class Chat extends DisposableBase {
	readonly #store: TranscriptStore;
	readonly #transcript: Transcript;
	readonly #listeners = new Set<(change: ChatChange) => void>();
	readonly #onSaveFailed: (error: unknown) => void;
	readonly #turns: Map<string, Turn>;
	#timer: NodeJS.Timeout | undefined;
	#savedAt = Number.NEGATIVE_INFINITY;
	#deleted = false;
	#failing = false;
	/** True if there are changes since the last save. */
	#unsaved: boolean;
	/** True during a save, which may not complete if the window closes. */
	#writing = false;
	#saving: Promise<void> = Promise.resolve();

	/** `isNew`: the chat isn't on disk. It's saved at the latest when its window closes, because its page may have a draft for it. */
	constructor(store: TranscriptStore, transcript: Transcript, onSaveFailed: (error: unknown) => void, isNew = false) {
		super();
		this.#unsaved = isNew;
		this.#store = store;
		this.#transcript = transcript;
		this.#onSaveFailed = onSaveFailed;
		this.#turns = new Map(transcript.turns.map(turn => [turn.id, turn]));
	}

	get transcript(): Readonly<Transcript> {
		return this.#transcript;
	}

	/** True if the last save failed, so that the file doesn't have the latest changes. */
	get isSaveFailing(): boolean {
		return this.#failing && !this.#deleted;
	}

	/** Subscribes to changes. */
	addChangeListener(listener: (change: ChatChange) => void): { dispose(): void } {
		this.#listeners.add(listener);
		return { dispose: () => this.#listeners.delete(listener) };
	}

	/** Returns the turns of the shown branch, each with its position among its siblings. */
	getShownTurns(): ShownTurn[] {
		const places = getBranchPositions(this.#transcript.turns);
		return getActivePath(this.#transcript).map(turn => ({
			...turn,
			parts: turn.parts.map(copyPartForPage),
			branch: places.get(turn.id) ?? { index: 0, count: 1 },
		}));
	}

	getTurn(id: string): Turn | undefined {
		return this.#turns.get(id);
	}

	/** Updates any fields except the turns. Reports no change if all values are equal. */
	updateFields(fields: Partial<Omit<Transcript, 'version' | 'id' | 'turns' | 'leaf' | 'createdAt' | 'updatedAt'>>): void {
		const changed = Object.entries(fields).some(
			([name, value]) => !isDeepStrictEqual(value, this.#transcript[name as keyof typeof fields]),
		);
		if (changed) {
			Object.assign(this.#transcript, fields);
			this.#recordChange({ type: 'head' });
		}
	}

	/** Makes views update what isn't part of the transcript, such as the connection or the running reply. Saves nothing. */
	refreshViews(): void {
		this.#notifyListeners({ type: 'head' });
	}

	/** Adds a turn after `parent` and shows its branch. The first message becomes the title of an unnamed chat. */
	addTurn(role: Turn['role'], parent: string | null, parts: ChatPart[], reply?: ReplyFacts): Turn {
		const turn: Turn = { id: randomUUID(), parent, role, parts, at: Date.now(), ...(reply && { reply }) };
		const continues = parent === this.#transcript.leaf && !this.#transcript.turns.some(t => t.parent === parent);
		this.#transcript.turns.push(turn);
		this.#turns.set(turn.id, turn);
		this.#transcript.leaf = turn.id;
		if (!this.#transcript.named && this.#transcript.title === '' && role === 'user') {
			this.#transcript.title = createTitle(turn);
			this.#recordChange({ type: 'head' });
		}
		// report a copy, because parts that are added later are reported as separate changes
		const shown = { ...turn, parts: parts.map(copyPartForPage), branch: { index: 0, count: 1 } };
		this.#recordChange(continues ? { type: 'turnAdded', turn: shown } : { type: 'path' });
		return turn;
	}

	/** Shows the branch of the sibling that is `offset` positions away. */
	selectSibling(id: string, offset: number): void {
		const sibling = findSibling(this.#transcript.turns, id, offset);
		if (sibling) {
			this.#transcript.leaf = findNewestLeaf(this.#transcript.turns, sibling.id);
			this.#recordChange({ type: 'path' });
		}
	}

	addPart(turn: Turn, part: ChatPart): void {
		turn.parts.push(part);
		// report a copy, because text that is added later is reported as a separate change
		this.#recordChange({ type: 'partAdded', turn: turn.id, part: { ...part } });
	}

	/** Appends to text, thinking, a tool call's input or audio. Does nothing for other parts. */
	addText(turn: Turn, index: number, text: string): void {
		if (appendToPart(turn.parts[index], text)) {
			this.#recordChange({ type: 'textAdded', turn: turn.id, index, text });
		}
	}

	patchPart(turn: Turn, index: number, fields: PartFields): void {
		const part = turn.parts[index];
		if (part) {
			const patched = Object.assign(part, fields);
			this.#recordChange({ type: 'partChanged', turn: turn.id, index, part: { ...patched } });
		}
	}

	/** Sets the summary of the chat up to a turn, or removes it. */
	setSummary(turn: Turn, summary: string | undefined): void {
		if (summary === undefined) {
			delete turn.summary;
		} else {
			turn.summary = summary;
		}
		this.#recordChange({ type: 'path' });
	}

	setReply(turn: Turn, reply: ReplyFacts): void {
		turn.reply = reply;
		this.#recordChange({ type: 'replyChanged', turn: turn.id, reply });
	}

	/** Saves pending changes. */
	saveChanges(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#saving = this.#saving.then(() => this.#saveTranscript());
		return this.#saving;
	}

	async #saveTranscript(): Promise<void> {
		if (this.#deleted || !this.#unsaved) {
			return;
		}
		this.#unsaved = false;
		this.#writing = true;
		this.#savedAt = performance.now();
		try {
			await this.#store.saveTranscript(this.#transcript);
			this.#failing = false;
		} catch (error) {
			this.#unsaved = true;
			// report only the first failure in a row, because streaming would repeat it
			if (!this.#failing) {
				this.#failing = true;
				this.#onSaveFailed(error);
			}
		} finally {
			this.#writing = false;
		}
	}

	/** Deletes the chat from disk and stops saving. */
	async delete(): Promise<void> {
		this.#deleted = true;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		try {
			await this.#store.delete(this.#transcript.id);
		} catch (error) {
			// the chat still exists, so it must be saved
			this.#deleted = false;
			throw error;
		}
	}

	/** Saves a deleted chat again, because a panel has shown it meanwhile. */
	restore(): void {
		this.#deleted = false;
		this.#recordChange({ type: 'head' });
	}

	override dispose(): void {
		super.dispose();
		this.#listeners.clear();
		clearTimeout(this.#timer);
		if ((this.#unsaved || this.#writing) && !this.#deleted) {
			this.#unsaved = false;
			try {
				this.#store.saveTranscriptSync(this.#transcript);
			} catch (error) {
				this.#onSaveFailed(error);
			}
		}
	}

	#notifyListeners(change: ChatChange): void {
		for (const listener of this.#listeners) {
			listener(change);
		}
	}

	#recordChange(change: ChatChange): void {
		// the window is closing; when the chat opens again, an unfinished reply is marked as interrupted
		if (this.disposed) {
			return;
		}
		this.#transcript.updatedAt = Date.now();
		this.#unsaved = true;
		this.#notifyListeners(change);
		// save immediately if the last save was a while ago, so that a sent message survives a crash
		this.#timer ??= setTimeout(() => void this.saveChanges(), Math.max(0, this.#savedAt + saveEveryMs - performance.now()));
	}
}

/** Appends to text, thinking, a tool call's input or audio. Returns false for other parts. */
export function appendToPart(part: ChatPart | undefined, text: string): boolean {
	if (part?.kind === 'text' || part?.kind === 'thinking') {
		part.text += text;
	} else if (part?.kind === 'toolCall') {
		part.input += text;
	} else if (part?.kind === 'audio') {
		part.data += text;
	} else {
		return false;
	}
	return true;
}

function createTitle(turn: Turn): string {
	const attached = turn.parts.find(part => part.kind === 'file' || part.kind === 'image' || part.kind === 'document');
	const line = getTurnText(turn).trim().split(/\r?\n/, 1)[0] ?? '';
	const title = line || (attached && 'name' in attached ? attached.name : '');
	return cutText(title, 60);
}
