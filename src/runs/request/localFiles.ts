import { open } from 'node:fs/promises';
import { type FileScope, OutsideScope, resolvedReadFlags, resolveInside } from '#base/files/fileScope.ts';
import type { Translate } from '#base/text/localization.ts';
import { RunFileValueError } from '#base/text/textFaults.ts';

/** Size limit of a local file used as a text input, in bytes. */
const maxTextBytes = 10 * 1024 * 1024;
/** Size limit of an uploaded file, in bytes (Dify's default limit for documents is 15 MB, for video 100 MB). */
export const maxUploadBytes = 100 * 1024 * 1024;

/** Reads a local file as UTF-8 text. Throws {@link RunFileValueError}. */
export async function readLocalText(reference: string, scope: FileScope, t: Translate, limit = maxTextBytes): Promise<string> {
	const bytes = await readLocalBytes(reference, scope, t, limit);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		throw new RunFileValueError(t("'{0}' isn't UTF-8 text. Expected a text file.", reference));
	}
}

/** Reads a local file of at most `limit` bytes. Throws {@link RunFileValueError}. */
export async function readLocalBytes(reference: string, scope: FileScope, t: Translate, limit: number): Promise<Uint8Array> {
	const file = resolveLocalFile(reference, scope, t);
	const handle = await open(file, resolvedReadFlags).catch((error: unknown) => {
		throw new RunFileValueError(t("Couldn't read '{0}': {1}", reference, describeReadError(error, t)));
	});
	try {
		const { size } = await checkLocalFile(handle, reference, limit, t);
		const bytes = new Uint8Array(size);
		let filled = 0;
		while (filled < size) {
			const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
			if (bytesRead === 0) {
				break;
			}
			filled += bytesRead;
		}
		return bytes.subarray(0, filled);
	} finally {
		await handle.close();
	}
}

/** Returns the real path of a `$file` reference inside the scope. Throws {@link RunFileValueError}. */
export function resolveLocalFile(reference: string, scope: FileScope, t: Translate): string {
	try {
		const file = resolveInside(reference, scope);
		if (file !== resolveInside('.', { ...scope, folder: scope.root })) {
			return file;
		}
	} catch (error) {
		if (!(error instanceof OutsideScope)) {
			throw new RunFileValueError(t("Couldn't read '{0}': {1}", reference, describeReadError(error, t)));
		}
	}
	throw new RunFileValueError(t("'{0}' is outside the workspace folder. Expected a file inside it.", reference));
}

async function checkLocalFile(
	handle: { stat(): Promise<{ size: number; isFile(): boolean }> },
	reference: string,
	limit: number,
	t: Translate,
) {
	const stat = await handle.stat();
	if (!stat.isFile()) {
		throw new RunFileValueError(t("'{0}' isn't a file.", reference));
	}
	if (stat.size > limit) {
		throw new RunFileValueError(
			t("'{0}' is too large ({1} MB). Expected at most {2} MB.", reference, (stat.size / 1048576).toFixed(1), limit / 1048576),
		);
	}
	return stat;
}

function describeReadError(error: unknown, t: Translate): string {
	switch ((error as NodeJS.ErrnoException).code) {
		case 'ENOENT':
			return t('no such file');
		case 'EACCES':
		case 'EPERM':
			return t('permission denied');
		case 'EISDIR':
			return t("it's a folder");
		case 'ELOOP':
			return t("it's a link");
		default:
			return error instanceof Error ? error.message : String(error);
	}
}
