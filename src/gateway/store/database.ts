import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Checkpoints } from './checkpoints.ts';
import { migrations } from './migrations.ts';

/**
 * The store's one SQLite file. In WAL mode a committed transaction survives `kill -9`; a power cut can cost the last moments, never the file. What
 * was written is carried from the log into the file by a thread of its own: it waits for the disk, which nobody else should.
 */
export class Database {
	readonly #db: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();
	readonly #checkpoints: Checkpoints;

	/** Opens or makes the file and brings it up to date. Throws an error that says what is wrong with the file. */
	constructor(file: string) {
		this.#db = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true });
		this.#checkpoints = new Checkpoints(file, () => this.#db.exec('PRAGMA wal_checkpoint(RESTART)'));
		try {
			this.#db.exec(`
				PRAGMA journal_mode = WAL;
				PRAGMA synchronous = NORMAL;
				PRAGMA cache_size = -16384;
				PRAGMA wal_autocheckpoint = 0;`);
			this.#migrate(file);
		} catch (error) {
			this.#db.close();
			throw error;
		}
	}

	/** All rows of a query. Statements are prepared once each. */
	all<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
		return this.#prepare(sql).all(...values) as T[];
	}

	/** The first row of a query. */
	get<T>(sql: string, ...values: readonly SQLInputValue[]): T | undefined {
		return this.#prepare(sql).get(...values) as T | undefined;
	}

	/** Runs a statement; returns the row ID of an insert and the number of rows it changed. */
	run(sql: string, ...values: readonly SQLInputValue[]): { readonly rowId: number; readonly changes: number } {
		const { lastInsertRowid, changes } = this.#prepare(sql).run(...values);
		this.#checkpoints.written();
		return { rowId: Number(lastInsertRowid), changes: Number(changes) };
	}

	/** Runs `work` in one transaction: all of it is kept, or, if it throws, nothing. Not nested. */
	transaction<T>(work: () => T): T {
		this.#prepare('BEGIN IMMEDIATE').run();
		try {
			const result = work();
			this.#prepare('COMMIT').run();
			return result;
		} catch (error) {
			if (this.#db.isTransaction) {
				this.#prepare('ROLLBACK').run();
			}
			throw error;
		}
	}

	/** Closes the file at once; resolves when its thread has ended too. */
	close(): Promise<void> {
		this.#statements.clear();
		this.#db.close();
		return this.#checkpoints.stop();
	}

	#prepare(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#db.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}

	#migrate(file: string): void {
		const version = (this.#db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
		if (version > migrations.length) {
			throw new Error(`${file} was written by a newer version (format ${version}): expected format ${migrations.length} or older`);
		}
		for (const [i, migration] of migrations.entries()) {
			if (i >= version) {
				this.#db.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${i + 1}; COMMIT;`);
			}
		}
	}
}
