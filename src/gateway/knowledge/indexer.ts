import path from 'node:path';
import type { DocumentReader } from '#engine/documents/documentReader.ts';
import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { RequestThread } from '../process/requestThread.ts';
import type { DocumentText, FolderCount, ReadDocument } from './index/documentIndex.ts';
import type { IndexRequest } from './index/indexThread.ts';

/** Interval for rescanning a folder, and maximum age of a scan for a search, in milliseconds. */
const rescanMs = 60_000;
const freshMs = 1_000;
/** Interval of progress messages in the log, in milliseconds. */
const reportMs = 10_000;

/** State of a folder of documents. */
interface FolderState {
	/** Undefined until the folder has been scanned. */
	readonly count: FolderCount | undefined;
	/** Why the folder can't be searched. */
	readonly fault: string | undefined;
	/** Message about skipped parts of the folder. */
	readonly note: string | undefined;
	/** True if some documents haven't been read yet. */
	readonly indexing: boolean;
}

interface Folder {
	readonly path: string;
	state: FolderState;
	/** Time when the last scan started, from `performance.now()`. */
	scanned: number;
	/** Time when indexing started, and time of the last log message. */
	since: number;
	reportedAt: number;
}

/**
 * Keeps the index of folders up to date in the background. Reads one document after another with the engine's document reader, and passes
 * them to the index thread. Searches scan their folders first, so that file watchers aren't needed.
 */
export class Indexer {
	readonly #thread: RequestThread<IndexRequest>;
	readonly #reader: DocumentReader;
	readonly #models: readonly string[];
	readonly #log: Log;
	readonly #job: BackgroundJob;
	readonly #folders: ReadonlyMap<string, Folder>;
	readonly #ending = new AbortController();
	readonly #waiting = new Set<() => void>();
	/** Called after documents have been read. */
	onIndexed: () => void = () => {};
	#cleaned = false;

	/**
	 * Reads nothing before {@link start} or the first search.
	 * @param folders absolute paths
	 * @param models embedding models in use, as the index names them
	 */
	constructor(
		folders: readonly string[],
		models: readonly string[],
		thread: RequestThread<IndexRequest>,
		reader: DocumentReader,
		log: Log,
	) {
		this.#models = models;
		this.#thread = thread;
		this.#reader = reader;
		this.#log = log;
		this.#job = new BackgroundJob('Indexing documents', () => this.#indexNextDocuments(), log);
		const unknown: FolderState = { count: undefined, fault: undefined, note: undefined, indexing: true };
		this.#folders = new Map(
			folders.map(each => [each, { path: each, state: unknown, scanned: Number.NEGATIVE_INFINITY, since: 0, reportedAt: 0 }]),
		);
	}

	start(): void {
		this.#job.scheduleStep();
	}

	stop(): void {
		this.#job.stop();
		this.#ending.abort();
		this.#notifyWaiting();
	}

	getFolderState(folder: string): FolderState {
		return (this.#folders.get(folder) as Folder).state;
	}

	/** Scans the folders now, and resolves once all changes are indexed, or after the timeout. Rejects with the signal's reason. */
	async refreshFolders(folders: readonly string[], patienceMs: number, signal: AbortSignal): Promise<void> {
		const asked = folders.map(each => this.#folders.get(each) as Folder);
		const from = performance.now() - freshMs;
		const until = performance.now() + patienceMs;
		const areFoldersDone = () => this.#ending.signal.aborted || asked.every(({ state, scanned }) => scanned >= from && !state.indexing);
		for (const folder of asked) {
			if (folder.scanned < from) {
				folder.scanned = Number.NEGATIVE_INFINITY;
			}
		}
		this.#job.scheduleStep();
		for (let left = patienceMs; !areFoldersDone() && left > 0; left = until - performance.now()) {
			await this.#waitForChange(left, signal);
		}
	}

	/** Removes a folder from the index and reads it again. */
	async rebuildFolder(folder: string): Promise<void> {
		await this.#thread.sendRequest({ kind: 'forget', folder });
		const known = this.#folders.get(folder) as Folder;
		known.scanned = Number.NEGATIVE_INFINITY;
		known.state = { ...known.state, count: undefined, indexing: true };
		this.#job.scheduleStep();
	}

	/** Returns the counts of a folder's index, including vectors from a model. */
	countFolder(folder: string, model: string | undefined): Promise<FolderCount> {
		return this.#thread.sendRequest<FolderCount>({ kind: 'count', folder, model });
	}

	async #indexNextDocuments(): Promise<NextTurn> {
		if (!this.#cleaned) {
			await this.#thread.sendRequest({ kind: 'keepOnly', folders: [...this.#folders.keys()], models: this.#models });
			this.#cleaned = true;
		}
		const now = performance.now();
		for (const folder of this.#folders.values()) {
			if (now - folder.scanned >= rescanMs) {
				await this.#scanFolder(folder);
			}
		}
		// read one document of each folder, so that a large folder doesn't delay small ones
		const indexing = [...this.#folders.values()].filter(({ state }) => state.indexing && state.fault === undefined);
		for (const folder of indexing) {
			await this.#readNextDocument(folder);
		}
		if (indexing.length > 0) {
			return 0;
		}
		this.#notifyWaiting();
		return Math.max(0, Math.min(...[...this.#folders.values()].map(({ scanned }) => scanned + rescanMs - performance.now())));
	}

	async #scanFolder(folder: Folder): Promise<void> {
		const begun = performance.now();
		if (!folder.state.indexing || folder.since === 0) {
			folder.since = begun;
			folder.reportedAt = begun;
		}
		try {
			const note = await this.#thread.sendRequest<string | undefined>({ kind: 'scan', folder: folder.path });
			folder.state = { count: await this.countFolder(folder.path, undefined), fault: undefined, note, indexing: true };
		} catch (error) {
			const code = (error as { readonly code?: unknown }).code;
			if (typeof code !== 'string' || code.startsWith('ERR_')) {
				throw error;
			}
			const fault = `the folder ${folder.path} can't be read (${code})`;
			if (folder.state.fault !== fault) {
				this.#log.warn("Couldn't read a folder of documents", { folder: folder.path, reason: code });
			}
			folder.state = { count: undefined, fault, note: undefined, indexing: false };
		}
		folder.scanned = begun;
	}

	async #readNextDocument(folder: Folder): Promise<void> {
		const next = await this.#thread.sendRequest<ReadDocument | 'more' | undefined>({ kind: 'next', folder: folder.path });
		if (next === undefined) {
			await this.#finishFolder(folder);
			return;
		}
		if (next !== 'more') {
			const read = await this.#readText(next);
			const { id, hash, path: name } = next;
			await this.#thread.sendRequest({ kind: 'put', document: { id, hash, path: name }, read });
		}
		if (performance.now() - folder.reportedAt >= reportMs) {
			folder.reportedAt = performance.now();
			folder.state = { ...folder.state, count: await this.countFolder(folder.path, undefined) };
			this.#log.info('Indexing documents', { folder: folder.path, ...folder.state.count });
		}
	}

	async #finishFolder(folder: Folder): Promise<void> {
		const before = folder.state.count;
		const count = await this.countFolder(folder.path, undefined);
		folder.state = { ...folder.state, count, indexing: false };
		if ((before?.waiting ?? 0) > 0) {
			const { documents, segments, failed } = count;
			this.#log.info('Documents indexed', {
				folder: folder.path,
				documents,
				segments,
				failed,
				ms: Math.round(performance.now() - folder.since),
			});
		}
		this.onIndexed();
		this.#notifyWaiting();
	}

	async #readText({ path: name, bytes }: ReadDocument): Promise<DocumentText> {
		const { signal } = this.#ending;
		try {
			return { text: await this.#reader.readText({ name: path.basename(name), mimeType: '', bytes }, signal) };
		} catch (error) {
			signal.throwIfAborted();
			const { message, type } = error as Error & { type?: string };
			return { problem: message, state: type === 'UnsupportedFileTypeError' ? 'left out' : 'failed' };
		}
	}

	#notifyWaiting(): void {
		for (const wake of this.#waiting) {
			wake();
		}
	}

	/** Resolves after the next change or the timeout. */
	async #waitForChange(ms: number, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, ms);
		const rejectAborted = () => reject(signal.reason);
		signal.addEventListener('abort', rejectAborted, { once: true });
		this.#waiting.add(resolve);
		try {
			await promise;
		} finally {
			clearTimeout(timer);
			signal.removeEventListener('abort', rejectAborted);
			this.#waiting.delete(resolve);
		}
	}
}
