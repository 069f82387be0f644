import { hashContent } from '#base/files/contentHash.ts';
import { runWithFileLock } from '#base/files/fileLock.ts';
import type { ServiceClient } from '#client/client.ts';
import type {
	AskedRecordingMode,
	OpenRecordingMode,
	RecordedCall,
	RecordingDrift,
	RecordingMiss,
	RecordingPlace,
	RecordingSettings,
	RecordingUse,
} from '#contract/recordings/recordings.ts';
import { getPlaceKey, type RecordingDocument, RecordingFormatError, scanRecording } from '#contract/recordings/scanRecording.ts';
import type { Secrets } from '../request/secrets.ts';
import {
	formatRecording,
	getPartsFolder,
	listEntryDates,
	type RecordingChange,
	readRecordingText,
	updateRecordingText,
	writeRecordingFile,
} from './recordingFile.ts';

/** Client methods that a recording needs. */
type RecordingClient = Pick<ServiceClient, 'openRecording' | 'takeRecordedCalls' | 'closeRecording'>;

interface FileRecordingParts {
	readonly client: RecordingClient;
	/** Absolute path of the recording. */
	readonly file: string;
	readonly mode: AskedRecordingMode;
	/** Maximum number of replies to compare with live ones, in the mode `drift`. Default: all. */
	readonly drift?: number | undefined;
	readonly settings: RecordingSettings;
	/** Name and version of the program that writes the file, for its header. */
	readonly creator: string;
}

/** An open recording that another process can finish. Plain data. */
export interface LeftRecording {
	readonly file: string;
	readonly mode: OpenRecordingMode;
	/** Hash of the file's text when the recording was opened. */
	readonly hash: string;
}

/** Summary of what a recording replayed and recorded. */
export interface RecordingReport extends RecordingChange {
	/** Number of replayed entries. */
	readonly replayed: number;
	readonly misses: readonly RecordingMiss[];
	/** Comparisons of recorded replies with live ones. */
	readonly drift: readonly RecordingDrift[];
	/** Number of replayed entries that are older than the settings allow. */
	readonly old: number;
}

/** A recording file in use, opened in the built-in gateway. */
export class FileRecording {
	readonly mode: OpenRecordingMode;
	readonly file: string;
	/** ID of the open recording in the gateway. */
	readonly id: string;
	readonly #client: RecordingClient;
	readonly #text: string;
	readonly #expires: string | undefined;
	readonly #creator: string;
	/** Positions of entries that are too old. */
	readonly #old: ReadonlySet<number>;
	/** Places whose runs have ended, so that entries that they didn't use again are outdated. */
	readonly #completed = new Map<string, RecordingPlace>();

	private constructor(
		{ client, file, creator, settings }: FileRecordingParts,
		id: string,
		mode: OpenRecordingMode,
		text: string,
		old: ReadonlySet<number>,
	) {
		this.#client = client;
		this.file = file;
		this.#creator = creator;
		this.id = id;
		this.mode = mode;
		this.#text = text;
		this.#expires = settings.expires;
		this.#old = old;
	}

	/**
	 * Opens a recording; undefined if the mode is `off`. Rejects with a {@link RecordingFormatError} if it can't be used, and with the errors
	 * of the file system and of the client.
	 */
	static async openRecording(parts: FileRecordingParts): Promise<FileRecording | undefined> {
		const { client, file, settings, mode, drift } = parts;
		if (mode === 'off') {
			return undefined;
		}
		const read = readRecordingText(file);
		// reports a damaged file in its own words instead of those of the gateway
		scanRecording(read);
		// old replies are compared too
		const { text, old, records } = applyExpiry(read, mode === 'drift' ? undefined : settings.expires);
		const openMode = mode === 'once' ? (read === '' || records ? 'new' : 'none') : mode;
		const { ignore, timing } = settings;
		const { id } = await client.openRecording({
			mode: openMode,
			text,
			folder: getPartsFolder(file),
			...(drift !== undefined && { drift }),
			...(ignore && { ignore }),
			...(timing !== undefined && { timing }),
		});
		return new FileRecording(parts, id, openMode, text, old);
	}

	/**
	 * Text that differs if an interrupted batch can't be continued: while a recording is only replayed, results depend on its content. Otherwise
	 * it differs each time, because what the first cases recorded or compared is lost if the batch is killed.
	 */
	get fingerprint(): string {
		return hashContent([this.mode, this.mode === 'none' ? this.#text : this.id]);
	}

	/** Returns a recording that another process has opened. If its file was changed since, its calls are added to the changed file. */
	static resumeRecording({
		id,
		mode,
		hash,
		...parts
	}: Omit<FileRecordingParts, 'mode' | 'settings'> & LeftRecording & { readonly id: string }): FileRecording {
		const text = readRecordingText(parts.file);
		return new FileRecording({ ...parts, mode, settings: {} }, id, mode, hashContent(text) === hash ? text : '', new Set());
	}

	/** Returns what {@link resumeRecording} needs. */
	getLeft(): LeftRecording {
		return { file: this.file, mode: this.mode, hash: hashContent(this.#text) };
	}

	/** Returns what a run sends to use this recording. */
	createUse(place: RecordingPlace, secrets: Secrets): RecordingUse {
		const named = Object.fromEntries([...secrets].map(([value, name]) => [name, value]));
		return { id: this.id, ...place, ...(secrets.size > 0 && { secrets: named }) };
	}

	/** Notes that the run of a place has ended. */
	completePlace(place: RecordingPlace): void {
		this.#completed.set(getPlaceKey(place), place);
	}

	/** Closes the recording and writes its file if something was recorded. Rejects like {@link openRecording}. */
	async finish(): Promise<RecordingReport> {
		const calls: RecordedCall[] = [];
		const used = new Set<number>();
		const misses: RecordingMiss[] = [];
		const drift: RecordingDrift[] = [];
		for (let more = true; more; ) {
			const taken = await this.#client.takeRecordedCalls(this.id);
			calls.push(...taken.calls);
			misses.push(...taken.misses);
			drift.push(...taken.drift);
			for (const at of taken.used) {
				used.add(at);
			}
			({ more } = taken);
		}
		await this.#client.closeRecording(this.id);
		const report = { replayed: used.size, misses, drift, old: [...used].filter(at => this.#old.has(at)).length };
		if (this.mode === 'none' || this.mode === 'drift') {
			return { ...report, added: 0, replaced: 0, removed: 0 };
		}
		const renewed = this.mode === 'all' ? [...this.#completed.values()] : [];
		const change = await runWithFileLock(this.file, () => this.#updateFile({ calls, used, renewed }));
		return { ...report, ...change };
	}

	async #updateFile({ calls, used, renewed }: Omit<Parameters<typeof updateRecordingText>[1], 'creator'>): Promise<RecordingChange> {
		// another run may have written the file meanwhile
		const { text: current } = applyExpiry(readRecordingText(this.file), this.#expires);
		const moved = current === this.#text ? { calls, used } : moveEntries(this.#text, current, { calls, used });
		const { text, ...change } = updateRecordingText(current, { ...moved, renewed, creator: this.#creator });
		if (text !== current) {
			await writeRecordingFile(this.file, text, moved.calls, current);
		}
		return change;
	}
}

/** Finds the entries that calls refer to by their position in another text. Calls whose entry is gone are recorded again. */
function moveEntries(
	before: string,
	after: string,
	{ calls, used }: { readonly calls: readonly RecordedCall[]; readonly used: ReadonlySet<number> },
): { readonly calls: readonly RecordedCall[]; readonly used: ReadonlySet<number> } {
	const positions = new Map(scanRecording(after).map(({ text }, at) => [text.trimEnd(), at]));
	const moved = scanRecording(before).map(({ text }) => positions.get(text.trimEnd()));
	return {
		calls: calls.map(({ same, ...call }) => {
			const at = same === undefined ? undefined : moved[same];
			return { ...call, ...(at !== undefined && { same: at }) };
		}),
		used: new Set([...used].flatMap(at => moved[at] ?? [])),
	};
}

const dayMs = 86_400_000;

/** Finds the entries that are too old. They are removed if they are to be recorded again. */
function applyExpiry(
	text: string,
	expires: string | undefined,
): { readonly text: string; readonly old: ReadonlySet<number>; readonly records: boolean } {
	const [, days, action = 'warn'] = /^(\d+)d(?: (\w+))?$/.exec(expires ?? '') ?? [];
	if (expires !== undefined && days === undefined) {
		throw new RecordingFormatError(`'expires' is '${expires}'. Expected an age in days, for example '90d warn'.`);
	}
	if (days === undefined) {
		return { text, old: new Set(), records: false };
	}
	const documents = scanRecording(text);
	const oldest = Date.now() - Number(days) * dayMs;
	const isOld = listEntryDates(documents).map(date => date !== undefined && date < oldest);
	const old = new Set(isOld.flatMap((each, at) => (each ? [at] : [])));
	if (old.size > 0 && action === 'error') {
		throw new RecordingFormatError(`${old.size} of ${documents.length} entries are older than ${days} days. Record them again.`);
	}
	if (old.size === 0 || action !== 'record') {
		return { text, old, records: false };
	}
	const kept: RecordingDocument[] = documents.filter((_, at) => !old.has(at));
	return { text: formatRecording(text, kept, ''), old: new Set(), records: true };
}
