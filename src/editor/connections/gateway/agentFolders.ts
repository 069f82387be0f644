import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isTrusted, onDidGrantTrust } from '../../platform/trust.ts';
import { insideFolder } from './insideFolder.ts';

const setting = 'gateway.agentFolders';

/**
 * Folders whose agent files the built-in gateway serves: those of the workspace, once it is trusted, and as they come and go. They are watched from
 * the first time that somebody asks for them: a window that never uses the gateway reads no setting and watches nothing.
 */
export class AgentFolders extends DisposableBase {
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	#watchers: vscode.FileSystemWatcher[] | undefined;

	constructor() {
		super();
		this.own(onDidGrantTrust(() => this.#changed.fire()));
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#restart()));
		this.own(
			vscode.workspace.onDidChangeConfiguration(event => {
				if (event.affectsConfiguration(`agentWorkbench.${setting}`)) {
					this.#restart();
				}
			}),
		);
		this.own({ dispose: () => this.#unwatch() });
	}

	/** Absolute paths of the folders that exist; none in a workspace that is not trusted. */
	list(): string[] {
		this.#watchers ??= this.#watch();
		return isTrusted()
			? configured()
					.map(({ folder, name }) => path.join(folder.uri.fsPath, name))
					.filter(isFolder)
			: [];
	}

	#restart(): void {
		if (this.#watchers) {
			this.#unwatch();
			this.#watchers = this.#watch();
			this.#changed.fire();
		}
	}

	#watch(): vscode.FileSystemWatcher[] {
		return configured().map(({ folder, name }) => {
			const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name), false, true, false);
			watcher.onDidCreate(() => this.#changed.fire());
			watcher.onDidDelete(() => this.#changed.fire());
			return watcher;
		});
	}

	#unwatch(): void {
		for (const watcher of this.#watchers ?? []) {
			watcher.dispose();
		}
	}
}

function configured(): { folder: vscode.WorkspaceFolder; name: string }[] {
	return (vscode.workspace.workspaceFolders ?? [])
		.filter(folder => folder.uri.scheme === 'file')
		.flatMap(folder => {
			const names: unknown = vscode.workspace.getConfiguration('agentWorkbench', folder.uri).get(setting);
			return Array.isArray(names)
				? names.filter(name => insideFolder(name, folder.uri.fsPath) !== undefined).map(name => ({ folder, name }))
				: [];
		});
}

function isFolder(folder: string): boolean {
	return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
