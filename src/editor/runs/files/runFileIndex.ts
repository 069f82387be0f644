import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { runFilePattern } from '../../platform/names.ts';
import { findRunFiles, readAgentsOfRunFiles } from './runFileSearch.ts';

/** Indexes the workspace's run files by agent. Built on first use, then updated by file watchers. */
export class RunFileIndex extends DisposableBase {
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	/** Maps file URIs to the name of the agent, or to `undefined` if the file names no agent. */
	#agents = new Map<string, string | undefined>();
	#loading: Promise<void> | undefined;
	#watching = false;

	/** Returns the run files of an agent, sorted by path. */
	async getRunFiles(agent: string): Promise<vscode.Uri[]> {
		await this.#loadIndex();
		return [...this.#agents]
			.flatMap(([uri, name]) => (name === agent ? [uri] : []))
			.sort()
			.map(uri => vscode.Uri.parse(uri));
	}

	/** Returns the names of all agents that have run files. */
	async getAgentNames(): Promise<string[]> {
		await this.#loadIndex();
		return [...new Set(this.#agents.values())].filter(name => name !== undefined).sort();
	}

	/** Rebuilds the index on next use, to include changes that the watchers missed. */
	invalidateIndex(): void {
		this.#loading = undefined;
		this.#changed.fire();
	}

	#loadIndex(): Promise<void> {
		this.#loading ??= this.#buildIndex();
		return this.#loading;
	}

	async #buildIndex(): Promise<void> {
		this.#watchFiles();
		// changes that are reported from here on go into the new map
		this.#agents = new Map();
		await this.#readFiles(await findRunFiles());
	}

	/** Reads files into the index, except those that are deleted meanwhile. */
	async #readFiles(uris: readonly vscode.Uri[]): Promise<void> {
		const agents = this.#agents;
		for (const uri of uris) {
			agents.set(uri.toString(), agents.get(uri.toString()));
		}
		const read = new Map((await readAgentsOfRunFiles(uris)).map(([uri, agent]) => [uri.toString(), agent]));
		for (const uri of uris.map(String)) {
			if (!read.has(uri)) {
				agents.delete(uri);
			} else if (agents.has(uri)) {
				agents.set(uri, read.get(uri));
			}
		}
	}

	#watchFiles(): void {
		if (this.#watching) {
			return;
		}
		this.#watching = true;
		const files = this.register(vscode.workspace.createFileSystemWatcher(runFilePattern, false, false, true));
		files.onDidCreate(uri => this.#updateFile(uri));
		files.onDidChange(uri => this.#updateFile(uri));
		// when a folder is deleted, there is no event for its files
		const all = this.register(vscode.workspace.createFileSystemWatcher('**', true, true, false));
		all.onDidDelete(uri => this.#removeDeletedFiles(uri));
		this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.invalidateIndex()));
	}

	async #updateFile(uri: vscode.Uri): Promise<void> {
		await this.#readFiles([uri]);
		this.#changed.fire();
	}

	/** Removes a deleted file, or all files in a deleted folder. */
	#removeDeletedFiles(gone: vscode.Uri): void {
		const uri = gone.toString();
		const dead = [...this.#agents.keys()].filter(file => file === uri || file.startsWith(`${uri}/`));
		for (const file of dead) {
			this.#agents.delete(file);
		}
		if (dead.length > 0) {
			this.#changed.fire();
		}
	}
}
