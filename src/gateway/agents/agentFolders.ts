import type { Log } from '../process/log.ts';
import { type AgentFile, AgentFolder } from './agentFolder.ts';

/** A folder that somebody wants served. */
interface TakenFolder {
	/** Whether nobody wanted it before. */
	readonly isNew: boolean;
	/** Resolves when its files have been read. */
	readonly opened: Promise<void>;
	/** To be called once, when it is not wanted any more. */
	release(): void;
}

/** The folders whose agents are served, each as long as somebody wants it. */
export class ServedFolders {
	/** Folders with the number of those who want them; the first folder that has a name serves it. */
	readonly #folders = new Map<string, { readonly folder: AgentFolder; readonly opened: Promise<void>; users: number }>();
	readonly #changed: () => void;
	readonly #log: Log;

	/** @param changed is called after agents of a folder came, went or changed, and after a folder went */
	constructor(changed: () => void, log: Log) {
		this.#changed = changed;
		this.#log = log;
	}

	/** Serves a folder until it is released as often as it was taken. */
	take(path: string): TakenFolder {
		const known = this.#folders.get(path);
		const held = known ?? this.#open(path);
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

	/** Whether there are none. */
	get isEmpty(): boolean {
		return this.#folders.size === 0;
	}

	/** Resolves when all of them have been read. */
	async opened(): Promise<void> {
		await Promise.all([...this.#folders.values()].map(({ opened }) => opened));
	}

	/** Looks at all files again. */
	async refresh(): Promise<void> {
		await Promise.all([...this.#folders.values()].map(({ folder }) => folder.refresh()));
	}

	/** Files by the name of their agent. */
	files(): ReadonlyMap<string, AgentFile> {
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

	#open(path: string) {
		const folder = new AgentFolder(path, this.#changed, this.#log);
		const entry = { folder, opened: folder.open(), users: 0 };
		this.#folders.set(path, entry);
		return entry;
	}
}
