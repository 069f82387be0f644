import { isUtf8 } from 'node:buffer';
import { type Dirent, type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInsideFolder } from '#base/files/fileScope.ts';
import { runConcurrently } from '#base/timing/runConcurrently.ts';
import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';

/** An agent file on disk. */
export interface AgentFile {
	/** File name without extension. */
	readonly name: string;
	/** Absolute path. */
	readonly file: string;
	readonly text: string;
	/** False if the file has another encoding, so that replacement characters are in `text`. */
	readonly isUtf8: boolean;
	/** Unix milliseconds. */
	readonly modifiedAt: number;
}

interface ReadFile {
	readonly file: AgentFile;
	/** Changes with the file. */
	readonly stamp: string;
}

/** Maximum size of an agent file (Dify's own limit; workflow DSL, "File"). */
const maxFileBytes = 10 * 1024 * 1024;
/** Number of files to read concurrently. */
const filesAtOnce = 16;
/** Time to wait for further changes, because editors write a file in several steps. */
const debounceMs = 100;
/** Interval for checking the folder itself, because a watcher doesn't notice when the folder is replaced by another one. */
const checkMs = 1_000;

/** The agent files (`NAME.yml`) of one folder, kept up to date. Links to files outside the folder aren't followed. */
export class AgentFolder {
	readonly path: string;
	readonly #changed: () => void;
	#files: ReadonlyMap<string, AgentFile> = new Map();
	#stamps = new Map<string, string>();
	#watcher: FSWatcher | undefined;
	/** The watched folder; undefined if the system can't watch it or it doesn't exist yet. */
	#watched: string | undefined;
	#changes = false;
	readonly #job: BackgroundJob;
	/** The current or last scan. Callers share the next scan until it starts. */
	#scanning: Promise<void> = Promise.resolve();
	#next: Promise<void> | undefined;
	#closed = false;

	/** @param changed called after files were added, removed or changed, except by the first scan */
	constructor(path: string, changed: () => void, log: Log) {
		this.path = path;
		this.#job = new BackgroundJob(`Watching ${path}`, () => this.#checkFolder(), log);
		this.#changed = changed;
	}

	/** Files by agent name. Empty until {@link openFolder} has resolved. */
	get files(): ReadonlyMap<string, AgentFile> {
		return this.#files;
	}

	/** Reads the folder and starts watching it. A missing folder is empty until it exists. */
	async openFolder(): Promise<void> {
		await this.#watchFolder();
		await this.#scanFiles();
		this.#job.scheduleStep(checkMs);
	}

	/**
	 * Scans the folder now, without waiting for the watcher. Scans run one after another, so that an older state never replaces a newer one.
	 */
	refreshFiles(): Promise<void> {
		this.#next ??= this.#scanning.then(async () => {
			this.#next = undefined;
			this.#changes = false;
			if (await this.#scanFiles()) {
				this.#changed();
			}
		});
		return this.#next;
	}

	/** Resolves once every change that the watcher has reported is read, without waiting for further ones. */
	readReportedChanges(): Promise<void> {
		return this.#changes ? this.refreshFiles() : (this.#next ?? this.#scanning);
	}

	close(): void {
		this.#closed = true;
		this.#watcher?.close();
		this.#job.stop();
	}

	/** Watches the current folder. Resolves to true if it isn't the folder watched before. */
	async #watchFolder(): Promise<boolean> {
		const now = await getFolderIdentity(this.path);
		if (now === this.#watched || this.#closed) {
			return false;
		}
		this.#watcher?.close();
		this.#watcher = undefined;
		this.#watched = undefined;
		if (now !== undefined) {
			try {
				this.#watcher = watch(this.path, () => this.#scheduleCheck());
				this.#watcher.on('error', () => this.#stopWatching());
				this.#watcher.unref();
				this.#watched = now;
			} catch {
				// there are too many watchers, or the folder is gone again; the next check retries
			}
		}
		return true;
	}

	#stopWatching(): void {
		this.#watcher?.close();
		this.#watched = undefined;
	}

	#scheduleCheck(): void {
		this.#changes = true;
		this.#job.scheduleStep(debounceMs);
	}

	async #checkFolder(): Promise<NextTurn> {
		const moved = await this.#watchFolder();
		if (moved || this.#changes || this.#watched === undefined) {
			await this.refreshFiles();
		}
		return checkMs;
	}

	/** Resolves to true if anything changed. */
	#scanFiles(): Promise<boolean> {
		const scan = this.#readFiles();
		this.#scanning = scan.then(
			() => {},
			() => {},
		);
		return scan;
	}

	async #readFiles(): Promise<boolean> {
		const entries = await readdir(this.path, { withFileTypes: true }).catch((): Dirent[] => []);
		const sources = entries
			.filter(({ name }) => /\.ya?ml$/i.test(name))
			.sort((one, other) => (one.name < other.name ? -1 : 1))
			.map(entry => ({ entry, read: undefined as ReadFile | undefined }));
		await runConcurrently(sources, filesAtOnce, undefined, async source => {
			source.read = await this.#readFile(source.entry);
		});
		const files = new Map<string, AgentFile>();
		const stamps = new Map<string, string>();
		for (const { read } of sources) {
			if (read && !files.has(read.file.name)) {
				files.set(read.file.name, read.file);
				stamps.set(read.file.name, read.stamp);
			}
		}
		const changed = files.size !== this.#files.size || [...files].some(([name, file]) => !isSameText(this.#files.get(name), file));
		this.#files = files;
		this.#stamps = stamps;
		return changed;
	}

	/** Reads a file, unless it's the same as in the last scan. */
	async #readFile(entry: Dirent): Promise<ReadFile | undefined> {
		const name = entry.name.replace(/\.ya?ml$/i, '');
		const file = join(this.path, entry.name);
		const source = entry.isSymbolicLink() ? await resolveLink(file, this.path) : file;
		const info = await stat(source).catch(() => undefined);
		if (!info?.isFile() || info.size > maxFileBytes) {
			return undefined;
		}
		const stamp = `${entry.name} ${info.mtimeMs} ${info.size} ${info.ino}`;
		const known = this.#stamps.get(name) === stamp ? this.#files.get(name) : undefined;
		if (known) {
			return { file: known, stamp };
		}
		const bytes = await readFile(source).catch(() => undefined);
		return bytes && { file: { name, file, text: bytes.toString(), isUtf8: isUtf8(bytes), modifiedAt: info.mtimeMs }, stamp };
	}
}

function isSameText(before: AgentFile | undefined, { text, isUtf8: isReadable }: AgentFile): boolean {
	return before?.text === text && before.isUtf8 === isReadable;
}

/** Returns the real path of a link's target; empty if that is outside the folder or missing. */
async function resolveLink(link: string, folder: string): Promise<string> {
	const [target, root] = await Promise.all([link, folder].map(each => realpath(each).catch(() => '')));
	return target && root && isInsideFolder(target, root) ? target : '';
}

/** Returns a string that identifies a folder. A recreated folder may get the same inode, but not the same creation time. */
async function getFolderIdentity(folder: string): Promise<string | undefined> {
	const info = await stat(folder, { bigint: true }).catch(() => undefined);
	return info?.isDirectory() ? `${info.dev} ${info.ino} ${info.birthtimeNs}` : undefined;
}
