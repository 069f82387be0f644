import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { messageOf } from '#base/problems.ts';
import { agentPathsOf, type LinkFile, linkPathsOf, readLink } from '#dify/files/linkFile.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { findSidecar, isFile } from '../../agents/files/linkOfFile.ts';
import { background } from '../../platform/background.ts';
import { foreignFolders } from '../../platform/names.ts';
import { withoutLinks } from '../../platform/wording.ts';

/** Sidecar files among all files. */
const sidecarPattern = '**/*.dify.json';
/** Enough for any workspace that people work in by hand; more would only be slow. */
const mostFiles = 2000;
const readAtOnce = 16;

/** An agent file and the app that its sidecar file names. */
export interface LinkedFile {
	readonly uri: vscode.Uri;
	readonly sidecar: vscode.Uri;
	readonly link: DifyLink;
}

/**
 * Reads the sidecar file of an agent file; `undefined` where it has none.
 * @throws {SyncFault} for one that says nothing that can be used
 */
export async function readSidecar(uri: vscode.Uri): Promise<LinkFile | undefined> {
	const sidecar = await findSidecar(uri);
	let bytes: Uint8Array;
	try {
		bytes = await vscode.workspace.fs.readFile(sidecar);
	} catch (error) {
		if (error instanceof vscode.FileSystemError && error.code !== 'FileNotFound') {
			throw error;
		}
		return undefined;
	}
	return readLink(new TextDecoder().decode(bytes), vscode.workspace.asRelativePath(sidecar), vscode.l10n.t);
}

/** Agent files of the workspace that are of apps, by their sidecar files: found on first use, then kept up to date by watchers. */
export class LinkedFiles extends DisposableBase {
	readonly #changed = this.own(new vscode.EventEmitter<readonly LinkedFile[]>());
	/** Files that were linked, are linked now, or have another text. */
	readonly onDidChange = this.#changed.event;
	readonly #log: vscode.LogOutputChannel;
	/** By the URI of the sidecar file. */
	readonly #files = new Map<string, LinkedFile>();
	/** Sidecar files that were told of as unusable. */
	readonly #told = new Set<string>();
	#loading: Promise<void> | undefined;

	constructor(log: vscode.LogOutputChannel) {
		super();
		this.#log = log;
	}

	/** What is known, by path; all once {@link load} has resolved. */
	list(): readonly LinkedFile[] {
		return [...this.#files.values()].sort((a, b) => (a.uri.path < b.uri.path ? -1 : 1));
	}

	load(): Promise<void> {
		this.#loading ??= this.#find();
		return this.#loading;
	}

	/** Reads what links an agent file anew, before the watchers tell. */
	async reread(uri: vscode.Uri): Promise<void> {
		await this.#read([await findSidecar(uri)]);
	}

	async #find(): Promise<void> {
		this.#watch();
		await this.#readAll();
	}

	async #readAll(): Promise<void> {
		await this.#read(await vscode.workspace.findFiles(sidecarPattern, foreignFolders, mostFiles));
	}

	#watch(): void {
		const sidecars = this.own(vscode.workspace.createFileSystemWatcher(sidecarPattern));
		const read = (uri: vscode.Uri) => background(this.#read([uri]), this.#log, 'Links with Dify');
		sidecars.onDidCreate(read);
		sidecars.onDidChange(read);
		const agents = this.own(vscode.workspace.createFileSystemWatcher('**/*.{yml,yaml}'));
		const sidecarsOf = (uri: vscode.Uri) => linkPathsOf(uri.path).map(path => uri.with({ path }));
		const readFor = (uri: vscode.Uri) => {
			for (const sidecar of sidecarsOf(uri).filter(each => this.#files.has(each.toString()))) {
				read(sidecar);
			}
		};
		agents.onDidCreate(uri => background(this.#read(sidecarsOf(uri)), this.#log, 'Links with Dify'));
		agents.onDidChange(readFor);
		agents.onDidDelete(readFor);
		// of a folder that is deleted only the folder is told
		const all = this.own(vscode.workspace.createFileSystemWatcher('**', true, true, false));
		all.onDidDelete(uri => this.#forget(uri));
		this.own(
			vscode.workspace.onDidChangeWorkspaceFolders(() => {
				const gone = this.list();
				this.#files.clear();
				this.#changed.fire(gone);
				background(
					vscode.workspace.findFiles(sidecarPattern, foreignFolders, mostFiles).then(uris => this.#read(uris)),
					this.#log,
					'Links',
				);
			}),
		);
	}

	#forget(gone: vscode.Uri): void {
		const uri = gone.toString();
		const dead = [...this.#files].filter(([sidecar]) => sidecar === uri || sidecar.startsWith(`${uri}/`));
		for (const [sidecar] of dead) {
			this.#files.delete(sidecar);
		}
		if (dead.length > 0) {
			this.#changed.fire(dead.map(([, file]) => file));
		}
	}

	async #read(sidecars: readonly vscode.Uri[]): Promise<void> {
		const changed: LinkedFile[] = [];
		const faults: { readonly sidecar: vscode.Uri; readonly message: string }[] = [];
		for (let i = 0; i < sidecars.length; i += readAtOnce) {
			await Promise.all(
				sidecars.slice(i, i + readAtOnce).map(async sidecar => {
					const before = this.#files.get(sidecar.toString());
					let now: LinkedFile | undefined;
					try {
						now = await linkedBy(sidecar);
						this.#told.delete(sidecar.toString());
					} catch (error) {
						faults.push({ sidecar, message: messageOf(error) });
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
		this.#tell(faults.filter(({ sidecar }) => !this.#told.has(sidecar.toString())));
	}

	/** Of files that are of no use as they are: each once, and one message for all that come together. */
	#tell(faults: readonly { readonly sidecar: vscode.Uri; readonly message: string }[]): void {
		const [first] = faults;
		if (!first || this.disposed) {
			return;
		}
		for (const { sidecar, message } of faults) {
			this.#told.add(sidecar.toString());
			this.#log.warn(message);
		}
		const sentence =
			faults.length === 1 ? first.message : vscode.l10n.t('{0} ({1} files of this kind cannot be used.)', first.message, faults.length);
		const open = vscode.l10n.t('Open File');
		void vscode.window
			.showWarningMessage(withoutLinks(sentence), open)
			.then(choice => (choice === open ? vscode.window.showTextDocument(first.sidecar) : undefined));
	}
}

/** What a sidecar file links; `undefined` where it, or the agent file next to it, is gone. */
async function linkedBy(sidecar: vscode.Uri): Promise<LinkedFile | undefined> {
	for (const uri of agentPathsOf(sidecar.path).map(path => sidecar.with({ path }))) {
		if (!/^\.ya?ml$/.test(path.posix.basename(uri.path)) && (await isFile(uri)) && (await findSidecar(uri)).path === sidecar.path) {
			const found = await readSidecar(uri);
			return found && { uri, sidecar, link: found.link };
		}
	}
	return undefined;
}
