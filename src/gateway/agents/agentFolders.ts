import type { Log } from '../process/log.ts';
import { type AgentFile, AgentFolder } from './agentFolder.ts';

/** A folder requested by a user of {@link ServedFolders}. */
interface TakenFolder {
	/** True if nothing else uses the folder. */
	readonly isNew: boolean;
	/** Resolves once the folder's files have been read. */
	readonly opened: Promise<void>;
	/** Must be called once when the folder isn't needed anymore. */
	release(): void;
}

/** The folders whose agents are served. Each is served as long as it has users. */
export class ServedFolders {
	/** Folders with their number of users. If several folders have an agent of the same name, the first one serves it. */
	readonly #folders = new Map<string, { readonly folder: AgentFolder; readonly opened: Promise<void>; users: number }>();
	readonly #changed: () => void;
	readonly #log: Log;

	/** @param changed called after agents of a folder were added, removed or changed, and after a folder was removed */
	constructor(changed: () => void, log: Log) {
		this.#changed = changed;
		this.#log = log;
	}

	/** Serves a folder until all its users have released it. */
	addUser(path: string): TakenFolder {
		const known = this.#folders.get(path);
		const held = known ?? this.#openFolder(path);
		held.users++;
		return {
			isNew: !known,
			opened: held.opened,
			release: () => {
				held.users--;
				if (held.users === 0) {
					held.folder.close();
					this.#folders.delete(path);
					this.#changed();
				}
			},
		};
	}

	get isEmpty(): boolean {
		return this.#folders.size === 0;
	}

	/** Resolves once all folders have been read. */
	async waitUntilOpen(): Promise<void> {
		await Promise.all([...this.#folders.values()].map(({ opened }) => opened));
	}

	/** Resolves once the changes that were noticed in the folders have been read. */
	async readReportedChanges(): Promise<void> {
		await Promise.all([...this.#folders.values()].map(({ folder }) => folder.readReportedChanges()));
	}

	/** Reads all files again. */
	async refreshFolders(): Promise<void> {
		await Promise.all([...this.#folders.values()].map(({ folder }) => folder.refreshFiles()));
	}

	/** Returns files by agent name. */
	getFiles(): ReadonlyMap<string, AgentFile> {
		const files = new Map<string, AgentFile>();
		for (const { folder } of this.#folders.values()) {
			for (const [name, file] of folder.files) {
				if (!files.has(name)) {
					files.set(name, file);
				}
			}
		}
		return files;
	}

	close(): void {
		for (const { folder } of this.#folders.values()) {
			folder.close();
		}
		this.#folders.clear();
	}

	#openFolder(path: string) {
		const folder = new AgentFolder(path, this.#changed, this.#log);
		const entry = { folder, opened: folder.openFolder(), users: 0 };
		this.#folders.set(path, entry);
		return entry;
	}
}
