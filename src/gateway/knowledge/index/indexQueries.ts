import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** Returns all rows of a query. */
export function queryRows<T>(db: DatabaseSync, sql: string, ...values: readonly SQLInputValue[]): T[] {
	return db.prepare(sql).all(...values) as T[];
}

/** Runs `work` in a transaction, which is rolled back if it throws. */
export function runInTransaction(db: DatabaseSync, work: () => void): void {
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
