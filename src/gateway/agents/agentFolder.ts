import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** An agent file as it stands on the disk. */
export interface AgentFile {
	/** File name without its ending. */
	readonly name: string;
	/** Absolute path. */
	readonly file: string;
	readonly text: string;
	/** Unix milliseconds. */
	readonly modifiedAt: number;
}

/** Largest agent file that is read (the service's own limit; workflow DSL, "File"). */
const maxFileBytes = 10 * 1024 * 1024;
/** Editors write a file in several steps. */
const debounceMs = 100;
/** Where the system cannot watch, or there is no folder yet. */
const pollMs = 2_000;

/** The agent files (`NAME.yml`) of one folder, kept up to date. */
export class AgentFolder {
	readonly path: string;
	readonly #changed: () => void;
	#files: ReadonlyMap<string, AgentFile> = new Map();
	#stamps = new Map<string, string>();
	#watcher: FSWatcher | undefined;
	#timer: NodeJS.Timeout | undefined;
	#scanning: Promise<void> | undefined;
	#closed = false;

	/** `changed` is called after files came, went or changed; not for the first scan. */
	constructor(path: string, changed: () => void) {
		this.path = path;
		this.#changed = changed;
	}

	/** Files by agent name. Empty until {@link open} has resolved. */
	get files(): ReadonlyMap<string, AgentFile> {
		return this.#files;
	}

	/** Reads the folder and begins to watch it. A folder that is missing is empty until it is there. */
	async open(): Promise<void> {
		this.#watch();
		await this.#scan();
	}

	/** Reads what has changed now, without waiting for the system to tell. */
	async refresh(): Promise<void> {
		await this.#scanning;
		if (await this.#scan()) {
			this.#changed();
		}
	}

	close(): void {
		this.#closed = true;
		this.#watcher?.close();
		clearTimeout(this.#timer);
	}

	#watch(): void {
		try {
			this.#watcher = watch(this.path, () => this.#schedule(debounceMs));
			this.#watcher.on('error', () => this.#unwatch());
			this.#watcher.unref();
		} catch {
			this.#unwatch();
		}
	}

	#unwatch(): void {
		this.#watcher?.close();
		this.#watcher = undefined;
		this.#schedule(pollMs);
	}

	#schedule(ms: number): void {
		if (this.#closed) {
			return;
		}
		clearTimeout(this.#timer);
		this.#timer = setTimeout(async () => {
			await this.refresh();
			if (!this.#watcher && !this.#closed) {
				this.#watch();
			}
		}, ms);
		this.#timer.unref();
	}

	/** Resolves to whether anything changed. */
	#scan(): Promise<boolean> {
		const scan = this.#read();
		this.#scanning = scan.then(
			() => {},
			() => {},
		);
		return scan;
	}

	async #read(): Promise<boolean> {
		const names = await readdir(this.path).catch(() => [] as string[]);
		const files = new Map<string, AgentFile>();
		const stamps = new Map<string, string>();
		for (const fileName of names.filter(each => /\.ya?ml$/i.test(each)).sort()) {
			const name = fileName.replace(/\.ya?ml$/i, '');
			const file = join(this.path, fileName);
			const info = await stat(file).catch(() => undefined);
			if (!info?.isFile() || info.size > maxFileBytes || files.has(name)) {
				continue;
			}
			const stamp = `${fileName} ${info.mtimeMs} ${info.size} ${info.ino}`;
			const known = this.#stamps.get(name) === stamp ? this.#files.get(name) : undefined;
			const text = known?.text ?? (await readFile(file, 'utf8').catch(() => undefined));
			if (text !== undefined) {
				files.set(name, known ?? { name, file, text, modifiedAt: info.mtimeMs });
				stamps.set(name, stamp);
			}
		}
		const changed = files.size !== this.#files.size || [...files].some(([name, file]) => this.#files.get(name)?.text !== file.text);
		this.#files = files;
		this.#stamps = stamps;
		return changed;
	}
}
