import { isUtf8 } from 'node:buffer';
import fs from 'node:fs/promises';
import path from 'node:path';
import { OutsideScope, resolveInsideToWrite } from '#base/files/fileScope.ts';
import { replaceFile } from '#base/files/replaceFile.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { DifyLink } from '../linkTypes.ts';
import { SyncFault } from '../syncFault.ts';
import type { Backup, Backups, SyncOptions } from '../syncTypes.ts';
import { findLinkPath, type LinkFile, readLink, serializeLink } from './linkFile.ts';

/** An agent file and its sidecar on disk. */
export interface AppFile {
	/** `undefined` if there is no file. */
	readonly text: string | undefined;
	/** `undefined` if there is no sidecar. */
	readonly link: LinkFile | undefined;
}

/**
 * Reads an agent file and its sidecar.
 * @throws {SyncFault} if one of them exists but can't be read
 */
export async function readAppFile(file: string, { t = fillPlaceholders }: SyncOptions = {}): Promise<AppFile> {
	const sidecar = await findSidecar(file);
	const [text, link] = await Promise.all([readTextIfAny(file, t), readTextIfAny(sidecar, t)]);
	return { text, link: link === undefined ? undefined : readLink(link, sidecar, t) };
}

/** Returns the path of the sidecar file of an agent file. */
export function findSidecar(file: string): Promise<string> {
	return findLinkPath(file, path =>
		fs.stat(path).then(
			stat => stat.isFile(),
			() => false,
		),
	);
}

interface AppFileOrder extends SyncOptions {
	/** Path of the agent file. */
	readonly file: string;
	/** Folder that links in the paths of file and sidecar must not leave. */
	readonly root: string;
	/** Text of the file when the write was planned; `undefined` if there was no file. */
	readonly expected: string | undefined;
	/** New text; `undefined` to leave the file unchanged. */
	readonly text: string | undefined;
	readonly link: DifyLink;
	/** Name of the app, for the list of backups. */
	readonly name: string;
	readonly backups: Backups;
}

/**
 * Writes an agent file and its sidecar atomically, after saving a backup of the overwritten text. Resolves to the backup.
 * @throws {SyncFault} `changed-here` if the file changed in the meantime; `disk` if something can't be saved or written, in which case file
 * and sidecar are unchanged
 */
export async function writeAppFile(order: AppFileOrder): Promise<Backup | undefined> {
	const { file, root, expected, text, link, name, backups, t = fillPlaceholders } = order;
	const sidecar = await findSidecar(file);
	const [realFile, realSidecar] = [file, sidecar].map(each => resolveFile(each, root, t)) as [string, string];
	const now = await readTextIfAny(file, t);
	if (text !== undefined && now !== expected) {
		throw new SyncFault('changed-here', t("'{0}' has changed in the meantime and wasn't overwritten.", file));
	}
	const before = await readTextIfAny(sidecar, t);
	let backup: Backup | undefined;
	if (text !== undefined && text !== now) {
		if (now !== undefined) {
			backup = await backups.saveBackup({ origin: link.origin, appId: link.app_id, name, side: 'here', text: now });
		}
		await writeFile(realFile, text, t);
	}
	const linkText = serializeLink(link, readOwnLink(before, sidecar));
	if (linkText !== before) {
		try {
			await writeFile(realSidecar, linkText, t);
		} catch (error) {
			// with the old link, the new text would count as a change that was made here
			if (text !== undefined && text !== now) {
				await restoreFile(realFile, { written: text, before: now });
			}
			throw error;
		}
	}
	return backup;
}

/** Gives a file its former text again, unless it was changed meanwhile. If that fails too, the backup still has the text. */
async function restoreFile(
	file: string,
	{ written, before }: { readonly written: string; readonly before: string | undefined },
): Promise<void> {
	const t = fillPlaceholders;
	if ((await readTextIfAny(file, t).catch(() => undefined)) !== written) {
		return;
	}
	await (before === undefined ? fs.rm(file, { force: true }) : writeFile(file, before, t)).catch(() => undefined);
}

/** Returns the content of a sidecar, or `undefined` if it can't be read and needs to be recreated. */
function readOwnLink(text: string | undefined, sidecar: string): LinkFile | undefined {
	try {
		return text === undefined ? undefined : readLink(text, sidecar);
	} catch {
		return undefined;
	}
}

/** Returns the path to write: the target of a symbolic link, so that the link stays. */
function resolveFile(file: string, root: string, t: NonNullable<SyncOptions['t']>): string {
	try {
		return resolveInsideToWrite(file, { folder: path.dirname(file), root });
	} catch (error) {
		throw new SyncFault(
			'disk',
			error instanceof OutsideScope
				? t("Couldn't write '{0}': a link in its path leads outside '{1}'.", file, root)
				: t("Couldn't write '{0}': {1}.", file, (error as Error).message),
		);
	}
}

async function writeFile(file: string, text: string, t: NonNullable<SyncOptions['t']>): Promise<void> {
	try {
		await replaceFile(file, text);
	} catch (error) {
		throw new SyncFault('disk', t("Couldn't write '{0}': {1}.", file, (error as Error).message));
	}
}

async function readTextIfAny(file: string, t: NonNullable<SyncOptions['t']>): Promise<string | undefined> {
	let bytes: Buffer;
	try {
		bytes = await fs.readFile(file);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return undefined;
		}
		throw new SyncFault('disk', t("Couldn't read '{0}': {1}.", file, (error as Error).message));
	}
	// a push would send replacement characters, and a backup before a pull would contain them
	if (!isUtf8(bytes)) {
		throw new SyncFault('unreadable', t("'{0}' isn't UTF-8 text. Expected a text file.", file));
	}
	return bytes.toString('utf8');
}
