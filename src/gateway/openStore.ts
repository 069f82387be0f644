import { join } from 'node:path';
import { FolderInUseError } from './folderInUseError.ts';
import type { Log } from './process/log.ts';
import type { Flags } from './setup/flags.ts';
import { FolderHold, StoreInUseError } from './store/folder/folderHold.ts';
import type { FolderSign } from './store/folder/folderSign.ts';
import { OpenFailure } from './store/folder/openFailure.ts';
import { setHoldAside, setStoreAside, toOpenFailure } from './store/folder/storeFiles.ts';
import { Store } from './store/store.ts';

/** The lock and the store can each be set aside once, and there is one spare attempt. */
const attempts = 3;

/**
 * Opens the store of the data folder, unless another gateway uses that. With `--set-aside-store`, first moves a damaged or newer store into
 * a folder next to it. Throws a {@link FolderInUseError} or an {@link OpenFailure}.
 */
export async function openStore(flags: Flags, sign: FolderSign, log: Log): Promise<Store> {
	if (await sign.isFolderServed(flags.host)) {
		throw createInUseError(flags, sign);
	}
	for (let attempt = 1; ; attempt++) {
		try {
			return openUndamagedStore(flags, log);
		} catch (error) {
			if (error instanceof StoreInUseError) {
				throw createInUseError(flags, sign);
			}
			if (!(error instanceof OpenFailure && error.canSetAside && flags.setAsideStore && attempt < attempts)) {
				throw error;
			}
			log.warn('The store was set aside', { reason: error.reason, file: error.file, set_aside: moveStoreAside(flags.data, error) });
		}
	}
}

/** Opens the store. If the store may be set aside, checks all of it, because opening it doesn't reveal all damage. */
function openUndamagedStore(flags: Flags, log: Log): Store {
	const store = new Store(flags.data, flags.retentionDays, log);
	const damage = flags.setAsideStore ? store.findDamage() : undefined;
	if (damage === undefined) {
		return store;
	}
	void store.close();
	throw toOpenFailure(join(flags.data, 'gateway.db'), new Error(damage));
}

function moveStoreAside(folder: string, { file }: OpenFailure): string {
	const holdFile = join(folder, 'gateway.hold');
	if (file === holdFile) {
		return setHoldAside(folder);
	}
	const hold = new FolderHold(holdFile);
	try {
		return setStoreAside(folder);
	} finally {
		hold.releaseFolder();
	}
}

function createInUseError(flags: Flags, sign: FolderSign): FolderInUseError {
	const other = sign.readSign();
	const who = other ? `the gateway with process ID ${other.pid} on port ${other.port}` : 'a gateway that is starting';
	return new FolderInUseError(`The data folder '${flags.data}' is in use by ${who}.`);
}
