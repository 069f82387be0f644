import { dirname, join } from 'node:path';
import { FolderInUseError } from './folderInUseError.ts';
import type { Log } from './process/log.ts';
import type { Flags } from './setup/flags.ts';
import { FolderHold, StoreInUseError } from './store/folder/folderHold.ts';
import type { FolderSign } from './store/folder/folderSign.ts';
import { OpenFailure } from './store/folder/openFailure.ts';
import { openFailureOf, setStoreAside } from './store/folder/storeFiles.ts';
import { Store } from './store/store.ts';

/** The hold, the store, and once more for good measure. */
const attempts = 3;

/**
 * Opens the store of the data folder, which no other gateway may serve. With `--set-aside-store`, a store that is damaged or newer is moved into a
 * folder beside it first. Throws a {@link FolderInUseError}, or an {@link OpenFailure}.
 */
export async function openStore(flags: Flags, sign: FolderSign, log: Log): Promise<Store> {
	if (await sign.isServed(flags.host)) {
		throw inUse(flags, sign);
	}
	for (let attempt = 1; ; attempt++) {
		try {
			return openWhole(flags, log);
		} catch (error) {
			if (error instanceof StoreInUseError) {
				throw inUse(flags, sign);
			}
			if (!(error instanceof OpenFailure && error.canSetAside && flags.setAsideStore && attempt < attempts)) {
				throw error;
			}
			log.warn('the store was set aside', { reason: error.reason, file: error.file, set_aside: setAside(flags.data, error) });
		}
	}
}

/** Who asks for a damaged store to be set aside may have met damage that opening it does not meet. */
function openWhole(flags: Flags, log: Log): Store {
	const store = new Store(flags.data, flags.retentionDays, log);
	const damage = flags.setAsideStore ? store.damage() : undefined;
	if (damage === undefined) {
		return store;
	}
	void store.close();
	throw openFailureOf(join(flags.data, 'gateway.db'), new Error(damage));
}

function setAside(folder: string, { file }: OpenFailure): string {
	const holdFile = join(folder, 'gateway.hold');
	if (file === holdFile) {
		return setStoreAside(dirname(file), ['gateway.hold']);
	}
	const hold = new FolderHold(holdFile);
	try {
		return setStoreAside(folder);
	} finally {
		hold.release();
	}
}

function inUse(flags: Flags, sign: FolderSign): FolderInUseError {
	const other = sign.read();
	const who = other ? `the gateway of process ${other.pid}, which listens on port ${other.port}` : 'a gateway that is just starting';
	return new FolderInUseError(`--data ${flags.data}: in use by ${who}.`);
}
