import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import { getAgentPaths, getLinkPaths, type LinkFile, readLink } from '#dify/files/linkFile.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { findSidecar, isExistingFile } from '../../agents/files/linkOfFile.ts';
import { runInBackground } from '../../platform/background.ts';
import { foreignFolders } from '../../platform/names.ts';
import { readSmallFile } from '../../platform/smallFile.ts';
import { escapeLinks } from '../../platform/wording.ts';

/** Glob of sidecar files. */
const sidecarPattern = '**/*.dify.json';
/** Maximum number of sidecar files to read. Keeps huge workspaces fast. */
const mostFiles = 2000;
const readAtOnce = 16;

/** An agent file and its link to an app. */
export interface LinkedFile {
	readonly uri: vscode.Uri;
	readonly sidecar: vscode.Uri;
	readonly link: DifyLink;
}

/**
 * Reads the sidecar file of an agent file. Resolves to `undefined` if there is none.
 * @throws {SyncFault} if the sidecar file isn't valid
 */
export async function readSidecar(uri: vscode.Uri): Promise<LinkFile | undefined> {
	const sidecar = await findSidecar(uri);
	let text: string;
	try {
		text = await readSmallFile(sidecar);
	} catch (error) {
		if (error instanceof vscode.FileSystemError && error.code !== 'FileNotFound') {
			throw error;
		}
		return undefined;
	}
	return readLink(text, vscode.workspace.asRelativePath(sidecar), vscode.l10n.t);
}

/** Finds the agent files of the workspace that are linked to apps. Starts on first use, and then watches for changes. */
export class LinkedFiles extends DisposableBase {
	readonly #changed = this.register(new vscode.EventEmitter<readonly LinkedFile[]>());
	/** Fires with changed files that are linked to an app, or were linked before the change. */
	readonly onDidChange = this.#changed.event;
	readonly #log: vscode.LogOutputChannel;
	/** By the URI of the sidecar file. */
	readonly #files = new Map<string, LinkedFile>();
	/** Invalid sidecar files that the user was warned about. */
	readonly #warnedFiles = new Set<string>();
	#loading: Promise<void> | undefined;

	constructor(log: vscode.LogOutputChannel) {
		super();
		this.#log = log;
	}

	/** Returns the known files, sorted by path. The list is complete once {@link loadFiles} has resolved. */
	listFiles(): readonly LinkedFile[] {
		return [...this.#files.values()].sort((a, b) => (a.uri.path < b.uri.path ? -1 : 1));
	}

	loadFiles(): Promise<void> {
		this.#loading ??= this.#startWatching();
		return this.#loading;
	}

	/** Reads the link of an agent file again, without waiting for the watchers. */
	async rereadLink(uri: vscode.Uri): Promise<void> {
		await this.#updateLinks([await findSidecar(uri)]);
	}

	async #startWatching(): Promise<void> {
		this.#createWatchers();
		await this.#readAllSidecars();
	}

	async #readAllSidecars(): Promise<void> {
		await this.#updateLinks(await vscode.workspace.findFiles(sidecarPattern, foreignFolders, mostFiles));
	}

	#createWatchers(): void {
		const sidecars = this.register(vscode.workspace.createFileSystemWatcher(sidecarPattern));
		const readSidecarInBackground = (uri: vscode.Uri) => runInBackground(this.#updateLinks([uri]), this.#log, 'Links with Dify');
		sidecars.onDidCreate(readSidecarInBackground);
		sidecars.onDidChange(readSidecarInBackground);
		const agents = this.register(vscode.workspace.createFileSystemWatcher('**/*.{yml,yaml}'));
		const listSidecars = (uri: vscode.Uri) => getLinkPaths(uri.path).map(path => uri.with({ path }));
		const readSidecarsOfFile = (uri: vscode.Uri) => {
			for (const sidecar of listSidecars(uri).filter(each => this.#files.has(each.toString()))) {
				readSidecarInBackground(sidecar);
			}
		};
		agents.onDidCreate(uri => runInBackground(this.#updateLinks(listSidecars(uri)), this.#log, 'Links with Dify'));
		agents.onDidChange(readSidecarsOfFile);
		agents.onDidDelete(readSidecarsOfFile);
		// when a folder is deleted, the watcher reports only the folder
		const all = this.register(vscode.workspace.createFileSystemWatcher('**', true, true, false));
		all.onDidDelete(uri => this.#dropFiles(uri));
		this.register(
			vscode.workspace.onDidChangeWorkspaceFolders(() => {
				const gone = this.listFiles();
				this.#files.clear();
				this.#changed.fire(gone);
				runInBackground(
					vscode.workspace.findFiles(sidecarPattern, foreignFolders, mostFiles).then(uris => this.#updateLinks(uris)),
					this.#log,
					'Links',
				);
			}),
		);
	}

	#dropFiles(gone: vscode.Uri): void {
		const uri = gone.toString();
		const dead = [...this.#files].filter(([sidecar]) => sidecar === uri || sidecar.startsWith(`${uri}/`));
		for (const [sidecar] of dead) {
			this.#files.delete(sidecar);
		}
		if (dead.length > 0) {
			this.#changed.fire(dead.map(([, file]) => file));
		}
	}

	async #updateLinks(sidecars: readonly vscode.Uri[]): Promise<void> {
		const changed: LinkedFile[] = [];
		const faults: { readonly sidecar: vscode.Uri; readonly message: string }[] = [];
		for (let i = 0; i < sidecars.length; i += readAtOnce) {
			await Promise.all(
				sidecars.slice(i, i + readAtOnce).map(async sidecar => {
					const before = this.#files.get(sidecar.toString());
					let now: LinkedFile | undefined;
					try {
						now = await readFileOfSidecar(sidecar);
						this.#warnedFiles.delete(sidecar.toString());
					} catch (error) {
						faults.push({ sidecar, message: getErrorMessage(error) });
					}
					if (now) {
						this.#files.set(sidecar.toString(), now);
					} else {
						this.#files.delete(sidecar.toString());
					}
					changed.push(...[before, now].filter(file => file !== undefined));
				}),
			);
		}
		if (!this.disposed && changed.length > 0) {
			this.#changed.fire(changed);
		}
		this.#warnAboutFaults(faults.filter(({ sidecar }) => !this.#warnedFiles.has(sidecar.toString())));
	}

	/** Warns about invalid sidecar files in a single message. Mentions each file only once. */
	#warnAboutFaults(faults: readonly { readonly sidecar: vscode.Uri; readonly message: string }[]): void {
		const [first] = faults;
		if (!first || this.disposed) {
			return;
		}
		for (const { sidecar, message } of faults) {
			this.#warnedFiles.add(sidecar.toString());
			this.#log.warn(message);
		}
		const text =
			faults.length === 1
				? first.message
				: vscode.l10n.t({
						message: '{0} ({1} files have problems of this kind.)',
						args: [first.message, faults.length],
						comment: ['{0} is a sentence about the problem of the first file'],
					});
		const open = vscode.l10n.t('Open file');
		void vscode.window
			.showWarningMessage(escapeLinks(text), open)
			.then(choice => (choice === open ? vscode.window.showTextDocument(first.sidecar) : undefined));
	}
}

/** Reads the link in a sidecar file. Resolves to `undefined` if the sidecar file or its agent file no longer exists. */
async function readFileOfSidecar(sidecar: vscode.Uri): Promise<LinkedFile | undefined> {
	for (const uri of getAgentPaths(sidecar.path).map(path => sidecar.with({ path }))) {
		if (!/^\.ya?ml$/.test(path.posix.basename(uri.path)) && (await isExistingFile(uri)) && (await findSidecar(uri)).path === sidecar.path) {
			const found = await readSidecar(uri);
			return found && { uri, sidecar, link: found.link };
		}
	}
	return undefined;
}
