import fs from 'node:fs/promises';
import path from 'node:path';
import type { Memento, SecretStorage } from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { endGateway, findGateway } from '#client/localGateway/gatewayLock.ts';

/** Where the extension stores data. */
export interface DataPlaces {
	readonly secrets: SecretStorage;
	readonly states: readonly Memento[];
	/** Folder for all workspaces. */
	readonly globalFolder: string;
	/** Folder of this workspace; absent in a window without one. */
	readonly workspaceFolder: string | undefined;
}

/** Stored data, as found by {@link findStoredData}. */
export interface StoredData {
	/** Names of secrets. */
	readonly secrets: readonly string[];
	/** Number of entries in VS Code's memory of the extension. */
	readonly entries: number;
	readonly folders: readonly string[];
	/** Total size of the folders in bytes. */
	readonly size: number;
	/** Folders that a running gateway serves. */
	readonly served: readonly string[];
}

/** Lists all stored data: of this window, of all workspaces on this machine, and in the keyring. */
export async function findStoredData(places: DataPlaces): Promise<StoredData> {
	const folders = await listDataFolders(places);
	const gateways = await Promise.all(folders.map(findGateway));
	return {
		// the deletion reports a keyring that can't be read
		secrets: await places.secrets.keys().then(
			names => names,
			() => [],
		),
		entries: places.states.reduce((sum, state) => sum + state.keys().length, 0),
		folders,
		size: (await Promise.all(folders.map(measureFolder))).reduce((sum, size) => sum + size, 0),
		served: folders.filter((_, i) => gateways[i] !== undefined),
	};
}

/** Stops the gateways and deletes everything that was found. Returns why something is still there; empty if all is gone. */
export async function deleteStoredData({ secrets, states }: DataPlaces, found: StoredData): Promise<string[]> {
	const failures: string[] = [];
	const attempt = async (work: () => Promise<unknown>) => {
		try {
			await work();
		} catch (error) {
			failures.push(getErrorMessage(error));
		}
	};
	for (const folder of found.served) {
		await attempt(async () => {
			const lock = await findGateway(folder);
			return lock && endGateway(folder, lock);
		});
	}
	let names: readonly string[] = [];
	await attempt(async () => {
		names = await secrets.keys();
	});
	for (const name of names) {
		await attempt(async () => secrets.delete(name));
	}
	for (const state of states) {
		for (const key of state.keys()) {
			await attempt(async () => state.update(key, undefined));
		}
	}
	for (const folder of found.folders) {
		// a gateway that just ended may still write for a moment
		await attempt(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
	}
	return failures;
}

/** VS Code keeps the folders of all workspaces next to each other, each with one folder for each extension. */
async function listDataFolders({ globalFolder, workspaceFolder }: DataPlaces): Promise<string[]> {
	const workspaces = workspaceFolder ? path.dirname(path.dirname(workspaceFolder)) : path.join(globalFolder, '../../workspaceStorage');
	const name = path.basename(globalFolder);
	const ofWorkspaces = (await fs.readdir(workspaces).catch(() => [])).map(each => path.join(workspaces, each, name));
	const all = new Set([globalFolder, ...(workspaceFolder ? [workspaceFolder] : []), ...ofWorkspaces]);
	const found = await Promise.all([...all].map(async folder => ((await fs.stat(folder).catch(() => undefined)) ? [folder] : [])));
	return found.flat();
}

async function measureFolder(folder: string): Promise<number> {
	const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));
	const sizes = await Promise.all(
		files.map(file =>
			fs.stat(file).then(
				({ size }) => size,
				() => 0,
			),
		),
	);
	return sizes.reduce((sum, size) => sum + size, 0);
}
