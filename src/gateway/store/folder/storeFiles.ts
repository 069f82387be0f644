import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, renameSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOpenToOthers } from '#base/files/privateMode.ts';
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

/** Ends the name of a folder that doesn't have the whole store yet. */
const unfinished = '.unfinished';

/**
 * Moves the store of a data folder into a new folder `set-aside-TIME` next to it, and returns that folder. The key, the lock and the
 * configuration stay. Must only be called by the process that has the data folder's lock.
 */
export function setStoreAside(dataFolder: string): string {
	return moveStore(dataFolder, createAsideFolder(dataFolder, unfinished));
}

/** Moves a damaged lock file into a new folder like {@link setStoreAside}. */
export function setHoldAside(dataFolder: string): string {
	const aside = createAsideFolder(dataFolder, '');
	movePart(dataFolder, aside, 'gateway.hold');
	return aside;
}

/**
 * Moves the rest of a store if {@link setStoreAside} was interrupted by a crash or an error. A store must not be opened before: SQLite
 * would delete the log of a database that was already moved, with the changes in it.
 */
export function finishSettingAside(dataFolder: string): void {
	for (const name of readdirSync(dataFolder)) {
		if (name.startsWith('set-aside-') && name.endsWith(unfinished)) {
			moveStore(dataFolder, join(dataFolder, name));
		}
	}
}

function createAsideFolder(dataFolder: string, ending: string): string {
	const aside = join(dataFolder, `set-aside-${new Date().toISOString().replaceAll(':', '-')}${ending}`);
	mkdirSync(aside, { recursive: true, mode: 0o700 });
	return aside;
}

/** Moves all parts of the store that are still in the data folder, and returns the folder that they are in then. */
function moveStore(dataFolder: string, folder: string): string {
	const [database = ''] = parts;
	// don't overwrite the moved store with one that an older gateway created after the interruption
	const isReplaced = existsSync(join(folder, database)) && existsSync(join(dataFolder, database));
	for (const name of isReplaced ? [] : parts) {
		movePart(dataFolder, folder, name);
	}
	const aside = folder.slice(0, -unfinished.length);
	renameSync(folder, aside);
	return aside;
}

function movePart(dataFolder: string, folder: string, name: string): void {
	const file = join(dataFolder, name);
	if (existsSync(file)) {
		try {
			renameSync(file, join(folder, name));
		} catch (error) {
			throw new OpenFailure('store-failed', file, `can't be moved (${(error as Error).message})`, error);
		}
	}
}

/** Removes other accounts' permissions for existing files. New files never have any. */
export function makeFilesPrivate(dataFolder: string): void {
	for (const name of [...parts, 'gateway.hold', lockFile]) {
		const file = join(dataFolder, name);
		const info = statSync(file, { throwIfNoEntry: false });
		if (info && isOpenToOthers(info.mode)) {
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
