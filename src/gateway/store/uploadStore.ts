import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';

/** An uploaded file. `name` is what its sender called it: shown, never used as a path. `created_at` in Unix milliseconds. */
export interface UploadRow {
	readonly id: string;
	readonly user: string;
	readonly name: string;
	readonly size: number;
	readonly extension: string;
	readonly mime_type: string;
	readonly created_at: number;
}

/** Uploaded files: their rows in the store, their bytes beside it in files named by ID. */
export class UploadStore {
	readonly #db: Database;
	readonly #folder: string;

	/** `folder` is made if missing; what a crash left half written in it is removed. */
	constructor(db: Database, folder: string) {
		this.#db = db;
		this.#folder = folder;
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		for (const name of readdirSync(folder).filter(each => each.endsWith('.part'))) {
			rmSync(this.path(name), { force: true });
		}
	}

	/** Where the bytes of an upload are. `id` must be one that this store gave out. */
	path(id: string): string {
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

	/** Removes the bytes of an upload that has no row. */
	async discard(id: string): Promise<void> {
		await rm(this.path(id), { force: true });
	}

	get(id: string): UploadRow | undefined {
		return this.#db.get('SELECT * FROM uploads WHERE id = ?', id);
	}

	/** Deletes uploads from before a time (Unix milliseconds). */
	deleteBefore(time: number): void {
		for (const { id } of this.#db.all<{ id: string }>('DELETE FROM uploads WHERE created_at < ? RETURNING id', time)) {
			rmSync(this.path(id), { force: true });
		}
	}
}
