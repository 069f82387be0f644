import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { runFilePattern } from '../../platform/names.ts';
import { agentsOfRunFiles, findRunFiles } from './runFileSearch.ts';

/** Run files of the workspace by the agent they name. Found on first use, then kept up to date by watchers. */
export class RunFileIndex extends DisposableBase {
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	/** URI of a file to the agent it names; `undefined` where it names none. */
	#agents = new Map<string, string | undefined>();
	#loading: Promise<void> | undefined;
	#watching = false;

	/** Run files that name this agent, by path. */
	async ofAgent(agent: string): Promise<vscode.Uri[]> {
		await this.#load();
		return [...this.#agents]
			.flatMap(([uri, name]) => (name === agent ? [uri] : []))
			.sort()
			.map(uri => vscode.Uri.parse(uri));
	}

	/** Names of all agents that run files name. */
	async agents(): Promise<string[]> {
		await this.#load();
		return [...new Set(this.#agents.values())].filter(name => name !== undefined).sort();
	}

	/** Has all files looked up anew: what the watchers missed is seen then. */
	reset(): void {
		this.#loading = undefined;
		this.#changed.fire();
	}

	#load(): Promise<void> {
		this.#loading ??= this.#find();
		return this.#loading;
	}

	async #find(): Promise<void> {
		this.#watch();
		const agents = new Map<string, string | undefined>();
		// what the watchers tell from here on goes into the new list
		this.#agents = agents;
		for (const [uri, agent] of await agentsOfRunFiles(await findRunFiles())) {
			agents.set(uri.toString(), agent);
		}
	}

	#watch(): void {
		if (this.#watching) {
			return;
		}
		this.#watching = true;
		const files = this.own(vscode.workspace.createFileSystemWatcher(runFilePattern, false, false, true));
		files.onDidCreate(uri => this.#read(uri));
		files.onDidChange(uri => this.#read(uri));
		// of a folder that is deleted only the folder is told
		const all = this.own(vscode.workspace.createFileSystemWatcher('**', true, true, false));
		all.onDidDelete(uri => this.#forget(uri));
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.reset()));
	}

	async #read(uri: vscode.Uri): Promise<void> {
		this.#agents.delete(uri.toString());
		for (const [file, agent] of await agentsOfRunFiles([uri])) {
			this.#agents.set(file.toString(), agent);
		}
		this.#changed.fire();
	}

	/** A file or folder is gone. */
	#forget(gone: vscode.Uri): void {
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
