import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Log } from '../process/log.ts';
import { Checkpoints } from './checkpoints.ts';
import { identityOf } from './folder/folderHold.ts';
import { OpenFailure } from './folder/openFailure.ts';
import { openFailureOf } from './folder/storeFiles.ts';
import { migrations, tables } from './migrations.ts';
import { StoreFault, storeFaultOf } from './storeFault.ts';

/**
 * The store's one SQLite file. In WAL mode a committed transaction survives `kill -9`; a power cut can cost the last moments, never the file. What
 * was written is carried from the log into the file by a thread of its own: it waits for the disk, which nobody else should. What the
 * disk or the file is at fault for throws a `StoreFault`.
 */
export class Database {
	readonly #db: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();
	readonly #checkpoints: Checkpoints;
	/** The files that writes go to, and the identity that each had when it was opened. */
	readonly #files: ReadonlyMap<string, string | undefined>;
	#refused: StoreFault | undefined;

	/** Opens or makes the file and brings it up to date. Throws an {@link OpenFailure}. */
	constructor(file: string, log: Log) {
		try {
			this.#db = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true });
		} catch (error) {
			throw openFailureOf(file, error);
		}
		this.#checkpoints = new Checkpoints(file, () => this.#db.exec('PRAGMA wal_checkpoint(RESTART)'), log);
		try {
			this.#db.exec(`
				PRAGMA journal_mode = WAL;
				PRAGMA synchronous = NORMAL;
				PRAGMA cache_size = -16384;
				PRAGMA wal_autocheckpoint = 0;`);
			this.#checkWhole(file);
			this.#migrate(file);
			this.#checkTables();
			this.#files = new Map([file, `${file}-wal`].map(each => [each, identityOf(each)]));
		} catch (error) {
			this.#db.close();
			throw openFailureOf(file, error);
		}
	}

	/** All rows of a query. Statements are prepared once each. */
	all<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
		return this.#do(() => this.#prepare(sql).all(...values)) as T[];
	}

	/** Rows of a query one by one, as far as they are asked for. To be read in one go: the same query cannot be asked again before it is left. */
	each<T>(sql: string, ...values: readonly SQLInputValue[]): Iterable<T> {
		return this.#do(() => this.#prepare(sql).iterate(...values)) as Iterable<T>;
	}

	/** The first row of a query. */
	get<T>(sql: string, ...values: readonly SQLInputValue[]): T | undefined {
		return this.#do(() => this.#prepare(sql).get(...values)) as T | undefined;
	}

	/** Runs a statement; returns the number of rows it changed. */
	run(sql: string, ...values: readonly SQLInputValue[]): { readonly changes: number } {
		this.#checkPlace();
		const { changes } = this.#do(() => this.#prepare(sql).run(...values));
		this.#checkpoints.written();
		return { changes: Number(changes) };
	}

	/** Runs a statement once with each row of values, in their order. For many rows, inside a {@link transaction}. */
	runEach(sql: string, rows: Iterable<readonly SQLInputValue[]>): void {
		this.#checkPlace();
		this.#do(() => {
			const statement = this.#prepare(sql);
			for (const values of rows) {
				statement.run(...values);
			}
		});
		this.#checkpoints.written();
	}

	/** Runs `work` in one transaction: all of it is kept, or, if it throws, nothing. Not nested. */
	transaction<T>(work: () => T): T {
		this.#checkPlace();
		return this.#do(() => {
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
		});
	}

	/** What a look at every page finds wrong; undefined if nothing. */
	damage(): string | undefined {
		try {
			const { quick_check: found } = this.#db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
			return found === 'ok' ? undefined : found;
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	}

	/** Whether the files are still where they were opened. */
	isInPlace(): boolean {
		for (const [file, identity] of this.#files) {
			if (identity !== undefined && identityOf(file) !== identity) {
				return false;
			}
		}
		return true;
	}

	/** Why nothing is written, if {@link refuse} said so. */
	get refused(): StoreFault | undefined {
		return this.#refused;
	}

	/** Writes nothing more, for this reason; undefined allows writing again. Reading is always possible. */
	refuse(fault: StoreFault | undefined): void {
		this.#refused = fault;
		this.#db.exec(`PRAGMA query_only = ${fault === undefined ? 0 : 1}`);
	}

	/** Closes the file at once; resolves when its thread has ended too. */
	close(): Promise<void> {
		this.#statements.clear();
		this.#db.close();
		return this.#checkpoints.stop();
	}

	#do<T>(work: () => T): T {
		try {
			return work();
		} catch (error) {
			const fault = storeFaultOf(error);
			throw fault?.reason === 'read-only' ? (this.#refused ?? fault) : (fault ?? error);
		}
	}

	/** Files that were removed accept writes that are lost: what is reported as saved must be in the folder. */
	#checkPlace(): void {
		if (!this.#db.isTransaction && !this.isInPlace()) {
			throw new StoreFault('folder-gone');
		}
	}

	#prepare(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#db.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}

	/** SQLite itself notices a file that was cut only when it comes to what is missing. */
	#checkWhole(file: string): void {
		const pages = (this.#db.prepare('PRAGMA page_count').get() as { page_count: number }).page_count;
		const size = (this.#db.prepare('PRAGMA page_size').get() as { page_size: number }).page_size;
		const found = statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
		if (found < pages * size) {
			throw new Error(`cut: expected ${pages * size} bytes, found ${found}`);
		}
	}

	#checkTables(): void {
		const rows = this.#db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
		const missing = tables().filter(name => !rows.some(row => row.name === name));
		if (missing.length > 0) {
			throw new Error(`without its table ${missing.join(', ')}`);
		}
		for (const name of tables()) {
			this.#db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get();
		}
	}

	#migrate(file: string): void {
		const version = (this.#db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
		if (version > migrations.length) {
			const problem = `was written by a newer version (format ${version}), expected format ${migrations.length} or older`;
			throw new OpenFailure('store-newer', file, problem);
		}
		for (const [i, migration] of migrations.entries()) {
			if (i >= version) {
				this.#db.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${i + 1}; COMMIT;`);
			}
		}
	}
}
