import { join } from 'node:path';
import { AgentStore } from './agentStore.ts';
import { ConversationStore } from './conversationStore.ts';
import { Database } from './database.ts';
import { FolderHold } from './folderHold.ts';
import { Retention } from './retention.ts';
import { RunSearch } from './runSearch.ts';
import { RunStore } from './runStore.ts';
import { UploadStore } from './uploadStore.ts';

/** Everything that one data folder keeps. */
export class Store {
	readonly agents: AgentStore;
	readonly runs: RunStore;
	readonly search: RunSearch;
	readonly conversations: ConversationStore;
	readonly uploads: UploadStore;
	/** Runs that the last process left running, now failed as interrupted. */
	readonly interrupted: number;
	readonly #hold: FolderHold;
	readonly #db: Database;
	readonly #retention: Retention | undefined;

	/** Opens the store of a folder. `retentionDays` 0 keeps everything. Throws a `StoreInUseError`, or as {@link Database} does. */
	constructor(folder: string, retentionDays: number) {
		this.#hold = new FolderHold(join(folder, 'gateway.hold'));
		this.#db = this.#open(join(folder, 'gateway.db'));
		this.agents = new AgentStore(this.#db);
		this.runs = new RunStore(this.#db);
		this.search = new RunSearch(this.#db);
		this.conversations = new ConversationStore(this.#db);
		this.uploads = new UploadStore(this.#db, join(folder, 'uploads'));
		this.interrupted = this.runs.interruptUnfinished(Date.now());
		this.conversations.interruptUnfinished();
		this.search.wake();
		if (retentionDays > 0) {
			this.#retention = new Retention(this.#db, this.uploads, retentionDays);
			this.#retention.start();
		}
	}

	/** Closes the store and lets the folder go, at once; resolves when nothing of it runs any more. */
	close(): Promise<void> {
		this.search.stop();
		this.#retention?.stop();
		const closed = this.#db.close();
		this.#hold.release();
		return closed;
	}

	#open(file: string): Database {
		try {
			return new Database(file);
		} catch (error) {
			this.#hold.release();
			throw error;
		}
	}
}
