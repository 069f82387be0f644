import { join } from 'node:path';
import { BackgroundJob, type NextTurn } from '../../backgroundJob.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../database.ts';
import { StoreFault } from '../storeFault.ts';
import { FolderHold, identityOf } from './folderHold.ts';

const intervalMs = 400;

/**
 * Looks whether the data folder is still there and still this process's own: files that were removed take writes without a word, and a hold that was
 * removed keeps no second gateway out. Until the store's file is back in its place, the store takes nothing; a hold is taken again.
 */
export class FolderWatch {
	readonly #holdFile: string;
	readonly #file: string;
	readonly #identity: string | undefined;
	readonly #db: Database;
	readonly #log: Log;
	readonly #job: BackgroundJob;
	#hold: FolderHold;
	#refusing = false;

	constructor(folder: string, hold: FolderHold, db: Database, log: Log) {
		this.#holdFile = join(folder, 'gateway.hold');
		this.#file = join(folder, 'gateway.db');
		this.#identity = identityOf(this.#file);
		this.#hold = hold;
		this.#db = db;
		this.#log = log;
		this.#job = new BackgroundJob('looking after the data folder', () => this.#look(), log);
		this.#job.wake(intervalMs);
	}

	/** Ends the watch and lets the folder go. */
	release(): void {
		this.#job.stop();
		this.#hold.release();
	}

	#look(): NextTurn {
		const there = identityOf(this.#file) === this.#identity && (this.#hold.holds || this.#takeAgain());
		if (there === this.#refusing) {
			this.#refusing = !there;
			this.#db.refuse(there ? undefined : new StoreFault('folder-gone'));
			if (there) {
				this.#log.info('the data folder is back: the store takes data again', { file: this.#file });
			} else {
				this.#log.error(new StoreFault('folder-gone').message, { reason: 'folder-gone', file: this.#file });
			}
		}
		return intervalMs;
	}

	#takeAgain(): boolean {
		try {
			const hold = new FolderHold(this.#holdFile);
			this.#hold.release();
			this.#hold = hold;
			this.#log.warn('the hold on the data folder was removed: it is taken again', { file: this.#holdFile });
			return true;
		} catch {
			return false;
		}
	}
}
