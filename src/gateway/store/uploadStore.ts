import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renameFile } from '#base/files/renameFile.ts';
import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { Database } from './database.ts';

/** An uploaded file. Its sender chose `name`, so it's only displayed and never used as a path. `created_at` is in Unix milliseconds. */
export interface UploadRow {
	readonly id: string;
	readonly user: string;
	readonly name: string;
	readonly size: number;
	readonly extension: string;
	readonly mime_type: string;
	readonly created_at: number;
}

/** Number of files checked at once. */
const sweepStep = 500;

/** Uploaded files. Their rows are in the store, and their bytes are in files next to it that are named by ID. */
export class UploadStore {
	readonly #db: Database;
	readonly #folder: string;
	readonly #job: BackgroundJob;
	/** Files that existed at the start and haven't been checked yet. */
	readonly #found: string[];

	/** Creates `folder` if it doesn't exist. Removes files that a crash left incomplete or without a row. */
	constructor(db: Database, folder: string, log: Log) {
		this.#db = db;
		this.#folder = folder;
		this.#job = new BackgroundJob('Removing orphaned uploads', () => this.#removeOrphans(), log);
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		this.#found = readdirSync(folder);
		if (this.#found.length > 0) {
			this.#job.scheduleStep();
		}
	}

	/** Stops the background work. */
	stop(): void {
		this.#job.stop();
	}

	/** Returns the path of an upload's bytes. `id` must have been created by this store. */
	getUploadPath(id: string): string {
		return join(this.#folder, id);
	}

	add(upload: UploadRow): void {
		const { id, user, name, size, extension, mime_type, created_at } = upload;
		this.#db.run(
			'INSERT INTO uploads (id, user, name, size, extension, mime_type, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
			id,
			user,
			name,
			size,
			extension,
			mime_type,
			created_at,
		);
	}

	/** Adds a file from its bytes. Resolves to its ID. */
	async addBytes(upload: Omit<UploadRow, 'id' | 'created_at'>, bytes: Uint8Array): Promise<string> {
		const id = randomUUID();
		const partial = this.getUploadPath(`${id}.part`);
		try {
			await writeFile(partial, bytes, { mode: 0o600, flag: 'wx' });
			await renameFile(partial, this.getUploadPath(id));
			this.add({ ...upload, id, created_at: Date.now() });
		} catch (error) {
			await Promise.all([rm(partial, { force: true }), this.discardBytes(id)]);
			throw error;
		}
		return id;
	}

	/** Removes the bytes of an upload that has no row. */
	async discardBytes(id: string): Promise<void> {
		await rm(this.getUploadPath(id), { force: true });
	}

	get(id: string): UploadRow | undefined {
		return this.#db.get('SELECT * FROM uploads WHERE id = ?', id);
	}

	/** Deletes uploads from before a time (Unix milliseconds). */
	deleteUploadsBefore(time: number): void {
		for (const { id } of this.#db.getRows<{ id: string }>('DELETE FROM uploads WHERE created_at < ? RETURNING id', time)) {
			rmSync(this.getUploadPath(id), { force: true });
		}
	}

	/** Removes files without a row. Only checks files from before the start, because an upload being received has no row yet either. */
	#removeOrphans(): NextTurn {
		for (const name of this.#found.splice(0, sweepStep)) {
			if (!this.get(name)) {
				rmSync(this.getUploadPath(name), { force: true });
			}
		}
		return this.#found.length > 0 ? 10 : undefined;
	}
}
