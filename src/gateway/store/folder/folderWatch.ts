import { join } from 'node:path';
import { BackgroundJob, type NextTurn } from '../../process/backgroundJob.ts';
import type { Log } from '../../process/log.ts';
import type { Database } from '../database.ts';
import { StoreFault } from '../storeFault.ts';
import { FolderHold } from './folderHold.ts';

const intervalMs = 400;

/**
 * Checks whether the data folder still exists and still belongs to this process. A hold that was removed keeps no second gateway out: it is taken again.
 * Until the store's files are back in their place, the store refuses all writes.
 */
export class FolderWatch {
	readonly #holdFile: string;
	readonly #file: string;
	readonly #db: Database;
	readonly #log: Log;
	readonly #job: BackgroundJob;
	#hold: FolderHold;
	#refusing = false;

	constructor(folder: string, hold: FolderHold, db: Database, log: Log) {
		this.#holdFile = join(folder, 'gateway.hold');
		this.#file = join(folder, 'gateway.db');
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
		const there = this.#db.isInPlace() && (this.#hold.holds || this.#takeAgain());
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
