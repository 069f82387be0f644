import fs from 'node:fs/promises';
import { plainWords } from '#base/text/plainWords.ts';
import type { DifyLink } from '../linkTypes.ts';
import { SyncFault } from '../syncFault.ts';
import type { Backup, Backups, SyncOptions } from '../syncTypes.ts';
import { findLinkPath, type LinkFile, readLink, writeLink } from './linkFile.ts';
import { writeWholeFile } from './wholeFile.ts';

/** An agent file and its sidecar as they lie on the disk. */
export interface AppFile {
	/** `undefined` where there is no file. */
	readonly text: string | undefined;
	/** `undefined` where there is no sidecar. */
	readonly link: LinkFile | undefined;
}

/**
 * Reads an agent file and its sidecar.
 * @throws {SyncFault} where one of them is there and cannot be read
 */
export async function readAppFile(file: string, { t = plainWords }: SyncOptions = {}): Promise<AppFile> {
	const sidecar = await sidecarOf(file);
	const [text, link] = await Promise.all([textOf(file, t), textOf(sidecar, t)]);
	return { text, link: link === undefined ? undefined : readLink(link, sidecar, t) };
}

/** Path of the sidecar file of an agent file. */
export function sidecarOf(file: string): Promise<string> {
	return findLinkPath(file, path =>
		fs.stat(path).then(
			stat => stat.isFile(),
			() => false,
		),
	);
}

/** What `writeAppFile` writes. */
interface AppFileOrder extends SyncOptions {
	/** Path of the agent file. */
	readonly file: string;
	/** What the file said when it was planned what to write; `undefined` where there was none. */
	readonly expected: string | undefined;
	/** What it should hold; `undefined` where it stays as it is. */
	readonly text: string | undefined;
	readonly link: DifyLink;
	/** Name of the app, for the list of backups. */
	readonly name: string;
	readonly backups: Backups;
}

/**
 * Writes an agent file and its sidecar, each whole or not at all, after the text that is overwritten was kept. Resolves to where that was kept.
 * @throws {SyncFault} `changed-here` where the file that would be overwritten is another one by now, `disk` where something cannot be kept or written:
 * then it is as it was, and so is the sidecar
 */
export async function writeAppFile(order: AppFileOrder): Promise<Backup | undefined> {
	const { file, expected, text, link, name, backups, t = plainWords } = order;
	const sidecar = await sidecarOf(file);
	const now = await textOf(file, t);
	if (text !== undefined && now !== expected) {
		throw new SyncFault('changed-here', t("{0} changed in the meantime and wasn't overwritten.", file));
	}
	const before = await textOf(sidecar, t);
	let backup: Backup | undefined;
	if (text !== undefined && text !== now) {
		if (now !== undefined) {
			backup = await backups.keep({ origin: link.origin, appId: link.app_id, name, side: 'here', text: now });
		}
		await written(file, text, t);
	}
	const linkText = writeLink(link, ownLink(before, sidecar));
	if (linkText !== before) {
		await written(sidecar, linkText, t);
	}
	return backup;
}

/** What a sidecar holds; `undefined` where it is none that can be read: it is made anew then. */
function ownLink(text: string | undefined, sidecar: string): LinkFile | undefined {
	try {
		return text === undefined ? undefined : readLink(text, sidecar);
	} catch {
		return undefined;
	}
}

async function written(given: string, text: string, t: NonNullable<SyncOptions['t']>): Promise<void> {
	try {
		// a link stays one
		const file = await fs.realpath(given).catch(() => given);
		const mode = await fs.stat(file).then(
			stat => stat.mode & 0o777,
			() => 0o666,
		);
		await writeWholeFile(file, text, mode);
	} catch (error) {
		throw new SyncFault('disk', t("Couldn't write {0}: {1}.", given, (error as Error).message));
	}
}

async function textOf(file: string, t: NonNullable<SyncOptions['t']>): Promise<string | undefined> {
	try {
		return await fs.readFile(file, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return undefined;
		}
		throw new SyncFault('disk', t("Couldn't read {0}: {1}.", file, (error as Error).message));
	}
}
