import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Log } from '../process/log.ts';
import { Checkpoints } from './checkpoints.ts';
import { getFileIdentity } from './folder/folderHold.ts';
import { OpenFailure } from './folder/openFailure.ts';
import { toOpenFailure } from './folder/storeFiles.ts';
import { getTableNames, migrations } from './migrations.ts';
import { StoreFault, toStoreFault } from './storeFault.ts';

/** Rows of a query; `more` is true if there are others after them. */
export interface RowPage<T> {
	readonly rows: readonly T[];
	readonly more: boolean;
}

/** Characters after which a page gets no further row: about the largest request. */
const maxPageLength = 32 * 1024 * 1024;

/** A new file has nothing to lose yet, and the start would wait for the disk five times. The first checkpoint brings the file to the disk. */
const withoutJournal = 'PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;';

/**
 * The store's SQLite database. In WAL mode, a committed transaction survives `kill -9`. A power failure can lose the last moments, but
 * doesn't corrupt the file. A separate thread checkpoints the log, because that waits for the disk. Errors caused by the disk or the file
 * are thrown as `StoreFault`.
 */
export class Database {
	readonly #db: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();
	readonly #checkpoints: Checkpoints;
	/** The files that are written to, with their identity when they were opened. */
	readonly #files: ReadonlyMap<string, string | undefined>;
	#refused: StoreFault | undefined;

	/** Opens or creates the file and migrates it. Throws an {@link OpenFailure}. */
	constructor(file: string, log: Log) {
		let isNew: boolean;
		try {
			isNew = !statSync(file, { throwIfNoEntry: false })?.size;
			this.#db = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true });
		} catch (error) {
			throw toOpenFailure(file, error);
		}
		this.#checkpoints = new Checkpoints(file, () => this.#db.exec('PRAGMA wal_checkpoint(RESTART)'), log);
		try {
			this.#db.exec(`
				${isNew ? withoutJournal : ''}
				PRAGMA journal_mode = WAL;
				PRAGMA cache_size = -16384;
				PRAGMA wal_autocheckpoint = 0;`);
			this.#checkFileSize(file);
			this.#migrate(file);
			this.#checkTables();
			this.#db.exec('PRAGMA synchronous = NORMAL;');
			this.#files = new Map([file, `${file}-wal`].map(each => [each, getFileIdentity(each)]));
		} catch (error) {
			this.#db.close();
			throw toOpenFailure(file, error);
		}
	}

	/** Returns all rows of a query. Each statement is prepared once. */
	getRows<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
		return this.#convertErrors(() => this.#prepareStatement(sql).all(...values)) as T[];
	}

	/** Iterates lazily over the rows of a query. Must finish before the same query runs again. */
	iterateRows<T>(sql: string, ...values: readonly SQLInputValue[]): Iterable<T> {
		return this.#convertErrors(() => this.#prepareStatement(sql).iterate(...values)) as Iterable<T>;
	}

	/**
	 * Returns the first rows of a query, at most `limit`, and fewer if their texts are so long that they would fill the memory. `more` is true
	 * if there are others.
	 */
	getPage<T extends object>(limit: number, sql: string, ...values: readonly SQLInputValue[]): RowPage<T> {
		const rows: T[] = [];
		let left = maxPageLength;
		for (const row of this.iterateRows<T>(sql, ...values)) {
			if (rows.length === limit || left < 0) {
				return { rows, more: true };
			}
			rows.push(row);
			for (const value of Object.values(row)) {
				left -= typeof value === 'string' ? value.length : 0;
			}
		}
		return { rows, more: false };
	}

	/** Returns the first row of a query. */
	get<T>(sql: string, ...values: readonly SQLInputValue[]): T | undefined {
		return this.#convertErrors(() => this.#prepareStatement(sql).get(...values)) as T | undefined;
	}

	/** Runs a statement, and returns the number of rows it changed. */
	run(sql: string, ...values: readonly SQLInputValue[]): { readonly changes: number } {
		this.#checkFilesInPlace();
		const changes = Number(this.#convertErrors(() => this.#prepareStatement(sql).run(...values)).changes);
		if (changes > 0) {
			this.#checkpoints.scheduleCheckpoint();
		}
		return { changes };
	}

	/** Runs a statement once for each row of values, in order. For many rows, call this inside a {@link runTransaction}. */
	runEach(sql: string, rows: Iterable<readonly SQLInputValue[]>): void {
		this.#checkFilesInPlace();
		this.#convertErrors(() => {
			const statement = this.#prepareStatement(sql);
			for (const values of rows) {
				statement.run(...values);
			}
		});
		this.#checkpoints.scheduleCheckpoint();
	}

	/** Runs `work` in a transaction, which is rolled back if it throws. Can't be nested. */
	runTransaction<T>(work: () => T): T {
		this.#checkFilesInPlace();
		return this.#convertErrors(() => {
			this.#prepareStatement('BEGIN IMMEDIATE').run();
			try {
				const result = work();
				this.#prepareStatement('COMMIT').run();
				return result;
			} catch (error) {
				if (this.#db.isTransaction) {
					this.#prepareStatement('ROLLBACK').run();
				}
				throw error;
			}
		});
	}

	/** Checks every page. Returns the first problem, or undefined if there is none. */
	findDamage(): string | undefined {
		try {
			const { quick_check: found } = this.#db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
			return found === 'ok' ? undefined : found;
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	}

	/** True if the database's files are still those that were opened. */
	hasFilesInPlace(): boolean {
		for (const [file, identity] of this.#files) {
			if (identity !== undefined && getFileIdentity(file) !== identity) {
				return false;
			}
		}
		return true;
	}

	/** Why writes are refused, as set by {@link refuseWrites}. */
	get refused(): StoreFault | undefined {
		return this.#refused;
	}

	/** Refuses writes for this reason. Undefined allows them again. Reading always works. */
	refuseWrites(fault: StoreFault | undefined): void {
		this.#refused = fault;
		this.#db.exec(`PRAGMA query_only = ${fault === undefined ? 0 : 1}`);
	}

	/** Closes the file immediately. Resolves once its thread has stopped too. */
	close(): Promise<void> {
		this.#statements.clear();
		this.#db.close();
		return this.#checkpoints.stop();
	}

	#convertErrors<T>(work: () => T): T {
		try {
			return work();
		} catch (error) {
			const fault = toStoreFault(error);
			throw fault?.reason === 'read-only' ? (this.#refused ?? fault) : (fault ?? error);
		}
	}

	/** Throws if the files were removed: writes would succeed but be lost, and data reported as saved must be in the folder. */
	#checkFilesInPlace(): void {
		if (!this.#db.isTransaction && !this.hasFilesInPlace()) {
			throw new StoreFault('folder-gone');
		}
	}

	#prepareStatement(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#db.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}

	/** Throws if the file was truncated. SQLite itself only notices this when it reads the missing part. */
	#checkFileSize(file: string): void {
		const pages = (this.#db.prepare('PRAGMA page_count').get() as { page_count: number }).page_count;
		const size = (this.#db.prepare('PRAGMA page_size').get() as { page_size: number }).page_size;
		const found = statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
		if (found < pages * size) {
			throw new Error(`truncated: expected ${pages * size} bytes, found ${found}`);
		}
	}

	#checkTables(): void {
		const rows = this.#db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
		const missing = getTableNames().filter(name => !rows.some(row => row.name === name));
		if (missing.length > 0) {
			throw new Error(`missing table ${missing.join(', ')}`);
		}
		for (const name of getTableNames()) {
			this.#db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get();
		}
	}

	#migrate(file: string): void {
		const version = (this.#db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
		if (version > migrations.length) {
			const problem = `was written by a newer version (format ${version}; this version supports format ${migrations.length} or older)`;
			throw new OpenFailure('store-newer', file, problem);
		}
		for (const [i, migration] of migrations.entries()) {
			if (i >= version) {
				this.#db.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${i + 1}; COMMIT;`);
			}
		}
	}
}
