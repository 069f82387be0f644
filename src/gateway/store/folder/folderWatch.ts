import { join } from 'node:path';
import { BackgroundJob, type NextTurn } from '../../process/backgroundJob.ts';
import type { Log } from '../../process/log.ts';
import type { Database } from '../database.ts';
import { StoreFault } from '../storeFault.ts';
import { FolderHold } from './folderHold.ts';

const intervalMs = 400;

/**
 * Checks whether the data folder still exists and belongs to this process. Locks it again if the lock file was removed, because a second
 * gateway could start otherwise. The store refuses writes until its files are back in place.
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
		this.#job = new BackgroundJob('Watching the data folder', () => this.#checkFolder(), log);
		this.#job.scheduleStep(intervalMs);
	}

	/** Stops watching and unlocks the folder. */
	releaseFolder(): void {
		this.#job.stop();
		this.#hold.releaseFolder();
	}

	#checkFolder(): NextTurn {
		const there = this.#db.hasFilesInPlace() && (this.#hold.holds || this.#relockFolder());
		if (there === this.#refusing) {
			this.#refusing = !there;
			this.#db.refuseWrites(there ? undefined : new StoreFault('folder-gone'));
			if (there) {
				this.#log.info('The data folder is back. The store accepts data again', { file: this.#file });
			} else {
				this.#log.error(new StoreFault('folder-gone').message, { reason: 'folder-gone', file: this.#file });
			}
		}
		return intervalMs;
	}

	#relockFolder(): boolean {
		try {
			const hold = new FolderHold(this.#holdFile);
			this.#hold.releaseFolder();
			this.#hold = hold;
			this.#log.warn('The lock file of the data folder was removed. Locked the folder again', { file: this.#holdFile });
			return true;
		} catch {
			return false;
		}
	}
}
