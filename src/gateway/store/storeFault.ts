import type { StoreFaultReason } from '#contract/faults/faultKinds.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** The data folder fails a request: the caller is refused in one sentence, and what needs no disk goes on. */
export class StoreFault extends ServiceFault {
	declare readonly reason: StoreFaultReason;

	constructor(reason: StoreFaultReason, cause?: unknown) {
		const { status, code, message } = sentences[reason];
		super(status, message, { code, cause, reason });
	}
}

const unavailable = { status: 503, code: 'service_unavailable' } as const;
const sentences: Readonly<Record<StoreFaultReason, { readonly status: number; readonly code: string; readonly message: string }>> = {
	'disk-full': {
		status: 507,
		code: 'insufficient_storage',
		message: "The disk of the gateway's data folder is full, so that nothing can be kept: make room there and try again.",
	},
	'read-only': {
		...unavailable,
		message: "The gateway's data folder cannot be written: make its files writable and try again.",
	},
	damaged: {
		...unavailable,
		message:
			"The gateway's store is damaged: end the gateway and start it with --set-aside-store, which keeps the damaged files and begins new ones.",
	},
	'folder-gone': {
		...unavailable,
		message: "The gateway's data folder was removed or replaced while it was served, so that nothing can be kept: restart the gateway.",
	},
	'disk-failed': {
		...unavailable,
		message: "The disk of the gateway's data folder failed to read or write: see the log of the service.",
	},
};

/** The fault that an error of SQLite or of the file system stands for; undefined for an error of another kind. */
export function storeFaultOf(error: unknown): StoreFault | undefined {
	if (error instanceof StoreFault) {
		return error;
	}
	const reason = reasonOf(error);
	return reason && new StoreFault(reason, error);
}

function reasonOf(error: unknown): StoreFaultReason | undefined {
	if (!(error instanceof Error)) {
		return undefined;
	}
	if ('errcode' in error) {
		return sqliteReasons[Number(error.errcode) & 0xff];
	}
	return 'code' in error ? systemReasons[String(error.code)] : undefined;
}

/** SQLite's primary result codes. A shared-memory file that finds no room on the disk is an I/O error there. */
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
