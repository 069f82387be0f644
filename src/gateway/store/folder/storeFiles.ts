import { accessSync, chmodSync, constants, existsSync, mkdirSync, renameSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockFile } from '#contract/localGateway.ts';
import { StoreFault, toStoreFault } from '../storeFault.ts';
import { OpenFailure } from './openFailure.ts';

/** Files and folders of a store in its data folder. Some only exist while SQLite uses them. */
const parts = [
	'gateway.db',
	'gateway.db-wal',
	'gateway.db-shm',
	'gateway.search.db',
	'gateway.search.db-wal',
	'gateway.search.db-shm',
	'uploads',
];

/**
 * Moves the store of a data folder into a new folder `set-aside-TIME` next to it, and returns that folder. The key, the lock and the
 * configuration stay. Must only be called by the process that has the data folder's lock.
 */
export function setStoreAside(dataFolder: string, names: readonly string[] = parts): string {
	const aside = join(dataFolder, `set-aside-${new Date().toISOString().replaceAll(':', '-')}`);
	mkdirSync(aside, { recursive: true, mode: 0o700 });
	for (const name of names) {
		if (existsSync(join(dataFolder, name))) {
			renameSync(join(dataFolder, name), join(aside, name));
		}
	}
	return aside;
}

/** Removes other accounts' permissions for existing files. New files never have any. */
export function makeFilesPrivate(dataFolder: string): void {
	for (const name of [...parts, 'gateway.hold', lockFile]) {
		const file = join(dataFolder, name);
		const info = statSync(file, { throwIfNoEntry: false });
		if (process.platform !== 'win32' && info && (info.mode & 0o077) !== 0) {
			try {
				chmodSync(file, info.mode & 0o700);
			} catch {
				// the file belongs to another account, or the disk is read-only; opening it will show whether it can be used
			}
		}
	}
}

/** Converts an error of SQLite or the file system to the reason why a file of the store can't be opened. */
export function toOpenFailure(file: string, error: unknown): OpenFailure {
	if (error instanceof OpenFailure) {
		return error;
	}
	const origin = error instanceof StoreFault ? (error.cause ?? error) : error;
	const message = origin instanceof Error ? origin.message.replace(/\.$/, '') : String(origin);
	const info = statSync(file, { throwIfNoEntry: false });
	if (info && !info.isFile()) {
		return new OpenFailure('store-damaged', file, 'is a folder instead of a file', error);
	}
	if (isFull(dirname(file))) {
		return new OpenFailure('disk-full', file, "can't be written because the disk is full", error);
	}
	const reason = isReadOnly(dirname(file)) ? 'read-only' : toStoreFault(error)?.reason;
	switch (reason) {
		case 'disk-full':
			return new OpenFailure('disk-full', file, "can't be written because the disk is full", error);
		case 'read-only':
			return new OpenFailure('store-read-only', file, "can't be written", error);
		case 'disk-failed':
			return new OpenFailure('store-failed', file, `can't be opened (${message})`, error);
		default:
			return new OpenFailure('store-damaged', file, `is damaged (${message})`, error);
	}
}

function isReadOnly(folder: string): boolean {
	try {
		accessSync(folder, constants.W_OK);
		return false;
	} catch {
		return true;
	}
}

function isFull(folder: string): boolean {
	try {
		return statfsSync(folder).bavail === 0;
	} catch {
		return false;
	}
}
