import fs from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically, writeFileAtomicallySync } from '#base/files/atomicFiles.ts';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import { runConcurrently } from '#base/timing/runConcurrently.ts';
import type { TranscriptSummary } from '#pages/chat/transcript/transcript.ts';
import { getTurnText, summarizeTranscript, type Transcript } from '#pages/chat/transcript/transcript.ts';
import { parseTranscript } from './transcriptSchema.ts';

/** Maximum size of a chat on disk, including attachments, in bytes. */
export const transcriptByteLimit = 24 * 1024 * 1024;

/** Number of files to read concurrently, because systems limit the number of open files. */
const filesAtOnce = 16;

const idPattern = /^[\w-]{1,64}$/;

/**
 * Stores chats on disk. `ID.json` contains the chat. `ID.head.json` contains its summary, so that listing doesn't read attachments. Each
 * write goes to a temporary file that replaces the old one, so that a crash never leaves an incomplete file.
 */
export class TranscriptStore {
	readonly #folder: string;
	readonly #words: Localization;
	/** Last pending write by chat ID. Writes of the same chat run one after another. */
	readonly #writes = new Map<string, Promise<void>>();
	/** Number of {@link saveTranscriptSync} calls by chat ID. Pending writes from before the last call are dropped. */
	readonly #overtaken = new Map<string, number>();

	constructor(folder: string, words: Localization) {
		this.#folder = folder;
		this.#words = words;
	}

	/** Lists all chats, most recently changed first. Recreates missing or invalid summaries. */
	async listSummaries(): Promise<TranscriptSummary[]> {
		const names = await fs.readdir(this.#folder).catch(() => [] as string[]);
		const ids = names.flatMap(name => (name.endsWith('.json') && !name.endsWith('.head.json') ? [name.slice(0, -5)] : []));
		const summaries: TranscriptSummary[] = [];
		await runConcurrently(ids, filesAtOnce, undefined, async id => {
			const summary = await this.#readSummary(id);
			if (summary) {
				summaries.push(summary);
			}
		});
		return summaries.sort((a, b) => b.updatedAt - a.updatedAt);
	}

	/** Loads a chat, or `undefined` if it doesn't exist. Rejects with a {@link Problem} `unreadable` if the file isn't a valid chat. */
	async loadTranscript(id: string): Promise<Transcript | undefined> {
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

	/**
	 * Saves a chat. If it's larger than {@link transcriptByteLimit}, keeps the last saved state and rejects with a {@link Problem}
	 * `too-large`.
	 */
	saveTranscript(transcript: Transcript): Promise<void> {
		const { id } = transcript;
		const contents = this.#serializeTranscript(transcript);
		const overtaken = this.#overtaken.get(id);
		const write = (this.#writes.get(id) ?? Promise.resolve())
			.catch(() => undefined)
			.then(async () => {
				checkTranscriptSize(this.#words, transcript, contents);
				for (const [file, text] of contents) {
					await writeFileAtomically(file, text, () => this.#overtaken.get(id) === overtaken);
				}
			});
		this.#writes.set(id, write);
		const forgetWrite = () => {
			if (this.#writes.get(id) === write) {
				this.#writes.delete(id);
			}
		};
		write.then(forgetWrite, forgetWrite);
		return write;
	}

	/** Saves a chat synchronously, because the window is closing. Throws the errors of {@link saveTranscript}. */
	saveTranscriptSync(transcript: Transcript): void {
		const { id } = transcript;
		const contents = this.#serializeTranscript(transcript);
		checkTranscriptSize(this.#words, transcript, contents);
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
	async searchTranscripts(text: string): Promise<Set<string>> {
		const wanted = text.toLowerCase();
		const found = new Set<string>();
		for (const { id } of await this.listSummaries()) {
			const transcript = await this.loadTranscript(id).catch(() => undefined);
			const matchesSearch = (part: string) => part.toLowerCase().includes(wanted);
			if (transcript && (matchesSearch(transcript.title) || transcript.turns.some(turn => matchesSearch(getTurnText(turn))))) {
				found.add(id);
			}
		}
		return found;
	}

	async #readSummary(id: string): Promise<TranscriptSummary | undefined> {
		try {
			return JSON.parse(await fs.readFile(this.#getHeadPath(id), 'utf8')) as TranscriptSummary;
		} catch {
			const transcript = await this.loadTranscript(id).catch(() => undefined);
			return transcript && summarizeTranscript(transcript);
		}
	}

	/** Returns the files of a chat and their contents. */
	#serializeTranscript(transcript: Transcript): readonly (readonly [file: string, text: string])[] {
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

function checkTranscriptSize(
	words: Localization,
	{ title }: Transcript,
	contents: readonly (readonly [file: string, text: string])[],
): void {
	if (contents.some(([, text]) => Buffer.byteLength(text) > transcriptByteLimit)) {
		throw new Problem('too-large', words.t("Chat '{0}' is larger than {1} MB and can't be saved.", title, transcriptByteLimit / 1048576));
	}
}
