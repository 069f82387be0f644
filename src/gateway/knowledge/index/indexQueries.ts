import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** All rows of a query. */
export function rowsOf<T>(db: DatabaseSync, sql: string, ...values: readonly SQLInputValue[]): T[] {
	return db.prepare(sql).all(...values) as T[];
}

/** Does all of the work, or none of it. */
export function inTransaction(db: DatabaseSync, work: () => void): void {
	db.exec('BEGIN');
	try {
		work();
		db.exec('COMMIT');
	} catch (error) {
		if (db.isTransaction) {
			db.exec('ROLLBACK');
		}
		throw error;
	}
}
