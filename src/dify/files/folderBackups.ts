import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '#base/files/replaceFile.ts';
import { getField, getFieldText } from '#base/records/plainValues.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import { SyncFault } from '../syncFault.ts';
import type { Backup, Backups } from '../syncTypes.ts';

/** Number of backups kept per app; older ones are deleted. */
const mostOfApp = 50;
const form = /^(\d{13,16})-(there|here)-[\da-f]{8}\.yml$/;

/** Stores backups in a folder, with a subfolder per app and a file per text, readable only by the user. Several windows may share it. */
export class FolderBackups implements Backups {
	readonly #folder: string;
	readonly #t: Translate;

	/** @param folder absolute path; created with the first backup */
	constructor(folder: string, t: Translate = fillPlaceholders) {
		this.#folder = folder;
		this.#t = t;
	}

	async saveBackup({ origin, appId, name, side, text }: Parameters<Backups['saveBackup']>[0]): Promise<Backup> {
		const folder = this.#getFolder({ origin, appId });
		const at = Date.now();
		const id = `${at}-${side}-${randomUUID().slice(0, 8)}.yml`;
		const file = path.join(folder, id);
		try {
			await fs.mkdir(folder, { recursive: true, mode: 0o700 });
			await replaceFile(file, text, 0o600);
		} catch (error) {
			const sentence = this.#t("Couldn't save a backup in '{0}' ({1}). Nothing was overwritten.", folder, (error as Error).message);
			throw new SyncFault('disk', sentence);
		}
		const about = `${JSON.stringify({ origin, app_id: appId, name }, undefined, 2)}\n`;
		// if this fails, lists only lack the app's name
		await replaceFile(path.join(folder, 'app.json'), about, 0o600).catch(() => {});
		await this.#removeOld(folder, id);
		return { id, origin, appId, name, side, at, file };
	}

	async listBackups({ origin, appId }: Parameters<Backups['listBackups']>[0]): Promise<readonly Backup[]> {
		const folder = this.#getFolder({ origin, appId });
		const name = await readAppName(folder);
		return (await listNewestFirst(folder)).map(({ id, at, side }) => ({ id, origin, appId, name, side, at, file: path.join(folder, id) }));
	}

	async readBackup({ id, origin, appId }: Parameters<Backups['readBackup']>[0]): Promise<string> {
		const file = path.join(this.#getFolder({ origin, appId }), path.basename(id));
		try {
			return await fs.readFile(file, 'utf8');
		} catch (error) {
			throw new SyncFault('disk', this.#t("Couldn't read '{0}': {1}.", file, (error as Error).message));
		}
	}

	#getFolder({ origin, appId }: Pick<Backup, 'origin' | 'appId'>): string {
		return path.join(this.#folder, createHash('sha256').update(`${origin} ${appId}`).digest('hex').slice(0, 24));
	}

	/** Deletes the oldest backups. `kept` is the one just saved, which stays even if the clock was set back. */
	async #removeOld(folder: string, kept: string): Promise<void> {
		const old = (await listNewestFirst(folder)).filter(({ id }) => id !== kept).slice(mostOfApp - 1);
		await Promise.all(old.map(({ id }) => fs.rm(path.join(folder, id), { force: true }).catch(() => {})));
	}
}

async function listNewestFirst(folder: string): Promise<readonly Pick<Backup, 'id' | 'at' | 'side'>[]> {
	const names = await fs.readdir(folder).catch(() => []);
	return names
		.flatMap(id => {
			const [, at, side] = form.exec(id) ?? [];
			return at === undefined ? [] : [{ id, at: Number(at), side: side as Backup['side'] }];
		})
		.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

async function readAppName(folder: string): Promise<string> {
	try {
		const about: unknown = JSON.parse(await fs.readFile(path.join(folder, 'app.json'), 'utf8'));
		return getFieldText(about, 'name') || String(getField(about, 'app_id') ?? '');
	} catch {
		// lists can do without the app's name
		return '';
	}
}
