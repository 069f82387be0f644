import { join } from 'node:path';
import type { Log } from '../process/log.ts';
import { AgentStore } from './agentStore.ts';
import { ConversationStore } from './conversationStore.ts';
import { Database } from './database.ts';
import { FolderHold } from './folder/folderHold.ts';
import { FolderWatch } from './folder/folderWatch.ts';
import { finishSettingAside, makeFilesPrivate, toOpenFailure } from './folder/storeFiles.ts';
import { LateWrites } from './lateWrites.ts';
import { PausedRunStore } from './pausedRunStore.ts';
import { ReplyStore } from './replyStore.ts';
import { ResponseStore } from './responseStore.ts';
import { Retention } from './retention.ts';
import { RunStore } from './runStore.ts';
import { RunSearch } from './search/runSearch.ts';
import type { StoreFault } from './storeFault.ts';
import { TextCallStore } from './textCallStore.ts';
import { UploadStore } from './uploadStore.ts';

/** All data in a data folder. */
export class Store {
	readonly agents: AgentStore;
	readonly runs: RunStore;
	readonly paused: PausedRunStore;
	readonly search: RunSearch;
	readonly conversations: ConversationStore;
	readonly uploads: UploadStore;
	readonly textCalls: TextCallStore;
	readonly replies: ReplyStore;
	readonly responses: ResponseStore;
	readonly late: LateWrites;
	/** Number of runs that the previous process left running. They count as interrupted. */
	readonly interrupted: number;
	readonly #db: Database;
	readonly #watch: FolderWatch;
	readonly #retention: Retention | undefined;

	/**
	 * Opens the store of a folder. Throws a `StoreInUseError`, or an `OpenFailure` with the broken file and the reason.
	 * @param retentionDays 0 keeps everything
	 */
	constructor(folder: string, retentionDays: number, log: Log) {
		makeFilesPrivate(folder);
		const hold = new FolderHold(join(folder, 'gateway.hold'));
		const file = join(folder, 'gateway.db');
		let db: Database | undefined;
		try {
			finishSettingAside(folder);
			db = new Database(file, log);
			this.#db = db;
			this.late = new LateWrites(log);
			this.agents = new AgentStore(db);
			this.paused = new PausedRunStore(db);
			this.runs = new RunStore(db, this.paused);
			this.search = new RunSearch(db, { store: file, index: join(folder, 'gateway.search.db') }, log);
			this.conversations = new ConversationStore(db, this.late);
			this.uploads = new UploadStore(db, join(folder, 'uploads'), log);
			this.textCalls = new TextCallStore(db);
			this.replies = new ReplyStore(db);
			this.responses = new ResponseStore(db);
			this.#retention = retentionDays > 0 ? new Retention(db, this, retentionDays, log) : undefined;
			this.interrupted = this.runs.interruptUnfinished(Date.now());
			this.conversations.interruptUnfinished();
		} catch (error) {
			void db?.close();
			hold.releaseFolder();
			throw toOpenFailure(file, error);
		}
		this.#watch = new FolderWatch(folder, hold, db, log);
		this.search.scheduleIndexing();
		this.#retention?.start();
	}

	/** Why the store refuses writes while its folder is gone. */
	get refused(): StoreFault | undefined {
		return this.#db.refused;
	}

	/** Checks the whole store, which takes a while. Returns the first problem, or undefined if there is none. */
	findDamage(): string | undefined {
		return this.#db.findDamage();
	}

	/** Closes the store and unlocks the folder immediately. Resolves once all its background work has stopped. */
	async close(): Promise<void> {
		const searchEnded = this.search.stop();
		this.uploads.stop();
		this.late.stop();
		this.#retention?.stop();
		const closed = this.#db.close();
		this.#watch.releaseFolder();
		await Promise.all([closed, searchEnded]);
	}
}
