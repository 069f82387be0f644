import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isWorkspaceTrusted, onDidGrantTrust } from '../../platform/trust.ts';
import { resolveFolderInside } from './insideFolder.ts';

const setting = 'gateway.agentFolders';

/**
 * Finds and watches the folders with agent files that the built-in gateway serves, once the workspace is trusted. Starts with the first
 * call of {@link listFolders}, so that windows that never use the gateway read no settings and watch no folders.
 */
export class AgentFolders extends DisposableBase {
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	#watchers: vscode.FileSystemWatcher[] | undefined;

	constructor() {
		super();
		this.register(onDidGrantTrust(() => this.#changed.fire()));
		this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#restartWatching()));
		this.register(
			vscode.workspace.onDidChangeConfiguration(event => {
				if (event.affectsConfiguration(`agentWorkbench.${setting}`)) {
					this.#restartWatching();
				}
			}),
		);
		this.register({ dispose: () => this.#stopWatching() });
	}

	/** Returns the absolute paths of the folders that exist. Returns none in an untrusted workspace. */
	listFolders(): string[] {
		this.#watchers ??= this.#watchFolders();
		return isWorkspaceTrusted()
			? listConfiguredFolders()
					.map(({ folder, name }) => path.resolve(folder.uri.fsPath, name))
					.filter(isExistingFolder)
			: [];
	}

	#restartWatching(): void {
		if (this.#watchers) {
			this.#stopWatching();
			this.#watchers = this.#watchFolders();
			this.#changed.fire();
		}
	}

	#watchFolders(): vscode.FileSystemWatcher[] {
		return listConfiguredFolders().map(({ folder, name }) => {
			const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name), false, true, false);
			watcher.onDidCreate(() => this.#changed.fire());
			watcher.onDidDelete(() => this.#changed.fire());
			return watcher;
		});
	}

	#stopWatching(): void {
		for (const watcher of this.#watchers ?? []) {
			watcher.dispose();
		}
	}
}

function listConfiguredFolders(): { folder: vscode.WorkspaceFolder; name: string }[] {
	return (vscode.workspace.workspaceFolders ?? [])
		.filter(folder => folder.uri.scheme === 'file')
		.flatMap(folder => readAgentFolderNames(folder.uri).map(name => ({ folder, name })));
}

/** Returns the agents folders of a workspace folder, relative to it. Skips invalid names and folders outside of the workspace folder. */
export function readAgentFolderNames(uri: vscode.Uri): string[] {
	const names: unknown = vscode.workspace.getConfiguration('agentWorkbench', uri).get(setting);
	return Array.isArray(names) ? names.filter(name => resolveFolderInside(name, uri.fsPath) !== undefined) : [];
}

function isExistingFolder(folder: string): boolean {
	return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
