import fs from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically, writeFileAtomicallySync } from '#base/files/atomicFiles.ts';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { TranscriptSummary } from '#pages/chat/transcript/transcript.ts';
import { getTurnText, summarizeTranscript, type Transcript } from '#pages/chat/transcript/transcript.ts';
import { parseTranscript } from './transcriptSchema.ts';

/** Maximum size of a chat on disk in bytes, including attachments. */
export const transcriptByteLimit = 24 * 1024 * 1024;

const idPattern = /^[\w-]{1,64}$/;

/**
 * Stores chats on disk: `ID.json` has the chat, `ID.head.json` the summary for lists, so that listing doesn't read attachments. Each write
 * goes to a temporary file that replaces the old one, so a crash never leaves half a file.
 */
export class TranscriptStore {
	readonly #folder: string;
	readonly #words: Localization;
	/** Pending writes by chat ID: writes of the same chat run one after another. */
	readonly #writes = new Map<string, Promise<void>>();
	/** How often {@link saveNow} wrote each chat, so that older pending writes are dropped. */
	readonly #overtaken = new Map<string, number>();

	constructor(folder: string, words: Localization) {
		this.#folder = folder;
		this.#words = words;
	}

	/** Lists all chats, last changed first. If a summary is missing or broken, it's created from its chat. */
	async list(): Promise<TranscriptSummary[]> {
		const names = await fs.readdir(this.#folder).catch(() => [] as string[]);
		const ids = names.flatMap(name => (name.endsWith('.json') && !name.endsWith('.head.json') ? [name.slice(0, -5)] : []));
		const summaries = await Promise.all(ids.map(id => this.#readSummary(id)));
		return summaries.filter(summary => summary !== undefined).sort((a, b) => b.updatedAt - a.updatedAt);
	}

	/** Loads a chat; undefined if it doesn't exist. Rejects with a {@link Problem} `unreadable` if the file isn't a valid chat. */
	async load(id: string): Promise<Transcript | undefined> {
		if (!idPattern.test(id)) {
			return undefined;
		}
		let text: string;
		try {
			text = await fs.readFile(this.#getPath(id), 'utf8');
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
				return undefined;
			}
			throw error;
		}
		return parseTranscript(this.#words, text, this.#getPath(id));
	}

	/** Saves a chat. Rejects with a {@link Problem} `too-large` above {@link transcriptByteLimit}; the last saved state then stays. */
	save(transcript: Transcript): Promise<void> {
		const { id } = transcript;
		const contents = this.#serialize(transcript);
		const overtaken = this.#overtaken.get(id);
		const write = (this.#writes.get(id) ?? Promise.resolve())
			.catch(() => undefined)
			.then(async () => {
				checkSize(this.#words, transcript, contents);
				for (const [file, text] of contents) {
					await writeFileAtomically(file, text, () => this.#overtaken.get(id) === overtaken);
				}
			});
		this.#writes.set(id, write);
		const forget = () => {
			if (this.#writes.get(id) === write) {
				this.#writes.delete(id);
			}
		};
		write.then(forget, forget);
		return write;
	}

	/** Saves a chat synchronously, for a closing window. Throws the errors of {@link save}. */
	saveNow(transcript: Transcript): void {
		const { id } = transcript;
		const contents = this.#serialize(transcript);
		checkSize(this.#words, transcript, contents);
		this.#overtaken.set(id, (this.#overtaken.get(id) ?? 0) + 1);
		for (const [file, text] of contents) {
			writeFileAtomicallySync(file, text);
		}
	}

	/** Resolves when all pending writes have finished or failed. */
	async waitForWrites(): Promise<void> {
		await Promise.allSettled(this.#writes.values());
	}

	async delete(id: string): Promise<void> {
		await this.#writes.get(id)?.catch(() => undefined);
		await Promise.all([fs.rm(this.#getPath(id), { force: true }), fs.rm(this.#getHeadPath(id), { force: true })]);
	}

	/** Returns the IDs of chats whose title or messages contain the text, ignoring case. */
	async search(text: string): Promise<Set<string>> {
		const wanted = text.toLowerCase();
		const found = new Set<string>();
		for (const { id } of await this.list()) {
			const transcript = await this.load(id).catch(() => undefined);
			const matches = (part: string) => part.toLowerCase().includes(wanted);
			if (transcript && (matches(transcript.title) || transcript.turns.some(turn => matches(getTurnText(turn))))) {
				found.add(id);
			}
		}
		return found;
	}

	async #readSummary(id: string): Promise<TranscriptSummary | undefined> {
		try {
			return JSON.parse(await fs.readFile(this.#getHeadPath(id), 'utf8')) as TranscriptSummary;
		} catch {
			const transcript = await this.load(id).catch(() => undefined);
			return transcript && summarizeTranscript(transcript);
		}
	}

	/** Returns the files of a chat and their contents. */
	#serialize(transcript: Transcript): readonly (readonly [file: string, text: string])[] {
		const { id } = transcript;
		return [
			[this.#getPath(id), JSON.stringify(transcript)],
			[this.#getHeadPath(id), JSON.stringify(summarizeTranscript(transcript))],
		];
	}

	#getPath(id: string): string {
		return path.join(this.#folder, `${id}.json`);
	}

	#getHeadPath(id: string): string {
		return path.join(this.#folder, `${id}.head.json`);
	}
}

function checkSize(words: Localization, { title }: Transcript, contents: readonly (readonly [file: string, text: string])[]): void {
	if (contents.some(([, text]) => Buffer.byteLength(text) > transcriptByteLimit)) {
		throw new Problem('too-large', words.t("Chat '{0}' is larger than {1} MB and can't be saved.", title, transcriptByteLimit / 1048576));
	}
}
