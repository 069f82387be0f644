import fs from 'node:fs/promises';
import path from 'node:path';
import { writeWhole, writeWholeNow } from '#base/files/wholeFiles.ts';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { TranscriptSummary } from '#pages/chat/transcript/transcript.ts';
import { getTurnText, summarizeTranscript, type Transcript } from '#pages/chat/transcript/transcript.ts';
import { parseTranscript } from './transcriptSchema.ts';

/** Most bytes that one chat may hold on disk, attachments included. */
export const transcriptByteLimit = 24 * 1024 * 1024;

const idPattern = /^[\w-]{1,64}$/;

/**
 * Chats on disk: `ID.json` holds a chat, `ID.head.json` what a list shows of it, so that listing reads no attachments. Each write goes
 * to a file beside and is renamed over the old one: a crash leaves the old or the new one, never half.
 */
export class TranscriptStore {
	readonly #folder: string;
	readonly #words: Localization;
	/** Writes of one chat go one after the other. */
	readonly #writes = new Map<string, Promise<void>>();
	/** How often a chat was written by {@link saveNow}: what was to be written before then is out of date. */
	readonly #overtaken = new Map<string, number>();

	constructor(folder: string, words: Localization) {
		this.#folder = folder;
		this.#words = words;
	}

	/** All chats, last changed first. A head that is missing or broken is read anew from its chat. */
	async list(): Promise<TranscriptSummary[]> {
		const names = await fs.readdir(this.#folder).catch(() => [] as string[]);
		const ids = names.flatMap(name => (name.endsWith('.json') && !name.endsWith('.head.json') ? [name.slice(0, -5)] : []));
		const summaries = await Promise.all(ids.map(id => this.#readSummary(id)));
		return summaries.filter(summary => summary !== undefined).sort((a, b) => b.updatedAt - a.updatedAt);
	}

	/** The chat, or undefined where there is none. Rejects with a {@link Problem} `unreadable` for a file that is no chat. */
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

	/** Keeps a chat. Rejects with a {@link Problem} `too-large` over {@link transcriptByteLimit}; the last kept state then stays. */
	save(transcript: Transcript): Promise<void> {
		const { id } = transcript;
		const contents = this.#serialize(transcript);
		const overtaken = this.#overtaken.get(id);
		const write = (this.#writes.get(id) ?? Promise.resolve())
			.catch(() => undefined)
			.then(async () => {
				checkSize(this.#words, transcript, contents);
				for (const [file, text] of contents) {
					await writeWhole(file, text, () => this.#overtaken.get(id) === overtaken);
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

	/** Keeps a chat before it returns: the window closes, and nobody waits for what is written later. Throws as {@link save} rejects. */
	saveNow(transcript: Transcript): void {
		const { id } = transcript;
		const contents = this.#serialize(transcript);
		checkSize(this.#words, transcript, contents);
		this.#overtaken.set(id, (this.#overtaken.get(id) ?? 0) + 1);
		for (const [file, text] of contents) {
			writeWholeNow(file, text);
		}
	}

	/** Resolves when nothing is being written any more, well or badly. */
	async waitForWrites(): Promise<void> {
		await Promise.allSettled(this.#writes.values());
	}

	async delete(id: string): Promise<void> {
		await this.#writes.get(id)?.catch(() => undefined);
		await Promise.all([fs.rm(this.#getPath(id), { force: true }), fs.rm(this.#getHeadPath(id), { force: true })]);
	}

	/** IDs of the chats whose title or turns hold the text, whatever its case. */
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

	/** The files of a chat and what they are to hold. */
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
		throw new Problem(
			'too-large',
			words.t('The chat "{0}" holds more than {1} MB and is no longer saved.', title, transcriptByteLimit / 1048576),
		);
	}
}
