import type { LocalizableMessage } from '#base/text/localizableMessage.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { StoreFaultReason } from '#contract/faults/faultKinds.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** The data folder doesn't work. The request fails with this message, but everything that doesn't need the disk continues. */
export class StoreFault extends ServiceFault {
	declare readonly reason: StoreFaultReason;

	constructor(reason: StoreFaultReason, cause?: unknown) {
		const { status, code, message } = sentences[reason];
		super(status, message, { code, cause, reason });
	}
}

const unavailable = { status: 503, code: 'service_unavailable' } as const;
const sentences: Readonly<
	Record<StoreFaultReason, { readonly status: number; readonly code: string; readonly message: LocalizableMessage }>
> = {
	'disk-full': {
		status: 507,
		code: 'insufficient_storage',
		message: localizable`The disk with the gateway's data folder is full. Free up space and try again.`,
	},
	'read-only': {
		...unavailable,
		message: localizable`Can't write to the gateway's data folder. Make its files writable and try again.`,
	},
	damaged: {
		...unavailable,
		message: localizable`The gateway's store is damaged. Restart the gateway with --set-aside-store to move the damaged files aside and create new ones.`,
	},
	'folder-gone': {
		...unavailable,
		message: localizable`The gateway's data folder was removed or replaced while the gateway was running. Restart the gateway.`,
	},
	'disk-failed': {
		...unavailable,
		message: localizable`Couldn't read or write the gateway's data folder because of a disk error. See the gateway's log for details.`,
	},
};

/** Converts an error of SQLite or the file system to a store fault; undefined for other errors. */
export function toStoreFault(error: unknown): StoreFault | undefined {
	if (error instanceof StoreFault) {
		return error;
	}
	const reason = getFaultReason(error);
	return reason && new StoreFault(reason, error);
}

function getFaultReason(error: unknown): StoreFaultReason | undefined {
	if (!(error instanceof Error)) {
		return undefined;
	}
	if ('errcode' in error) {
		return sqliteReasons[Number(error.errcode) & 0xff];
	}
	return 'code' in error ? systemReasons[String(error.code)] : undefined;
}

/** Reasons by SQLite's primary result code. If there is no disk space for its shared-memory file, SQLite reports an I/O error. */
const sqliteReasons: Readonly<Record<number, StoreFaultReason>> = {
	8: 'read-only',
	10: 'disk-failed',
	11: 'damaged',
	13: 'disk-full',
	14: 'disk-failed',
	26: 'damaged',
};

const systemReasons: Readonly<Record<string, StoreFaultReason>> = {
	ENOSPC: 'disk-full',
	EDQUOT: 'disk-full',
	EROFS: 'read-only',
	EACCES: 'read-only',
	EPERM: 'read-only',
	EIO: 'disk-failed',
};
