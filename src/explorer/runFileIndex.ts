import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';

const pattern = '**/*.run.json';
/** Enough for any workspace that people work in by hand; more would only be slow. */
const mostFiles = 5000;
const readAtOnce = 16;

/** Run files of the workspace by the agent they name. Found on first use, then kept up to date by a watcher. */
export class RunFileIndex extends DisposableBase {
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	/** URI of a file to the agent it names; `undefined` where it names none. */
	readonly #agents = new Map<string, string | undefined>();
	#loading: Promise<void> | undefined;

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

	#load(): Promise<void> {
		this.#loading ??= this.#find();
		return this.#loading;
	}

	async #find(): Promise<void> {
		const watcher = this.own(vscode.workspace.createFileSystemWatcher(pattern));
		watcher.onDidCreate(uri => this.#read(uri, true));
		watcher.onDidChange(uri => this.#read(uri, true));
		watcher.onDidDelete(uri => {
			if (this.#agents.delete(uri.toString())) {
				this.#changed.fire();
			}
		});
		const files = await vscode.workspace.findFiles(pattern, '**/{node_modules,.git}/**', mostFiles);
		for (let i = 0; i < files.length; i += readAtOnce) {
			await Promise.all(files.slice(i, i + readAtOnce).map(uri => this.#read(uri, false)));
		}
	}

	async #read(uri: vscode.Uri, tell: boolean): Promise<void> {
		try {
			this.#agents.set(uri.toString(), agentOf(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))));
		} catch {
			// gone between the event and now
			this.#agents.delete(uri.toString());
		}
		if (tell) {
			this.#changed.fire();
		}
	}
}

/** The agent that a run file names; a file that is being edited, and is no JSON for a moment, keeps its place. */
function agentOf(text: string): string | undefined {
	try {
		const body: unknown = JSON.parse(text);
		return typeof body === 'object' && body && 'model' in body && typeof body.model === 'string' ? body.model : undefined;
	} catch {
		return /"model"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
	}
}
