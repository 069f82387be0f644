import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { resolvedReadFlags, resolveInside } from '#base/files/fileScope.ts';
import type { AgentSummary } from '#contract/agents.ts';

/** Bytes at the start of an agent file that are searched for its mode. */
const headBytes = 16 * 1024;

/** Lists the agents of the workspace by their files, to show them before the built-in gateway runs. */
export class AgentFileList extends DisposableBase {
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	readonly #listFolders: () => readonly string[];
	#folders: readonly string[] = [];
	#watchers: vscode.Disposable[] = [];
	#agents: Promise<readonly AgentSummary[]> | undefined;
	#known: readonly AgentSummary[] = [];

	/** @param listFolders returns the absolute paths of the agents folders; none in an untrusted workspace */
	constructor(listFolders: () => readonly string[]) {
		super();
		this.#listFolders = listFolders;
		this.register({ dispose: () => this.#stopWatching() });
	}

	/** The result of the last {@link listAgents}. */
	get knownAgents(): readonly AgentSummary[] {
		return this.#known;
	}

	/** Returns the agents by name. Their variables and errors are unknown, and they count as not published. */
	async listAgents(): Promise<readonly AgentSummary[]> {
		const folders = this.#listFolders();
		if (folders.join('\n') !== this.#folders.join('\n')) {
			this.#folders = folders;
			this.#agents = undefined;
			this.#stopWatching();
			this.#watchers = folders.map(folder => this.#watchFolder(folder));
		}
		this.#agents ??= readAgentFiles(folders);
		this.#known = await this.#agents;
		return this.#known;
	}

	#watchFolder(folder: string): vscode.Disposable {
		const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), '*.{yml,yaml}'));
		const onChange = () => {
			this.#agents = undefined;
			this.#changed.fire();
		};
		watcher.onDidCreate(onChange);
		watcher.onDidChange(onChange);
		watcher.onDidDelete(onChange);
		return watcher;
	}

	#stopWatching(): void {
		for (const watcher of this.#watchers) {
			watcher.dispose();
		}
	}
}

async function readAgentFiles(folders: readonly string[]): Promise<readonly AgentSummary[]> {
	const files = await Promise.all(
		folders.map(async folder => (await fs.readdir(folder).catch(() => [])).map(fileName => ({ folder, fileName }))),
	);
	const agents = new Map<string, AgentSummary>();
	await Promise.all(
		files
			.flat()
			.filter(({ fileName }) => /\.ya?ml$/i.test(fileName))
			.map(async ({ folder, fileName }) => {
				const { name } = path.parse(fileName);
				const mode = await readMode(fileName, folder).catch(() => undefined);
				if (mode !== undefined && !agents.has(name)) {
					agents.set(name, createFileSummary(name, mode, path.join(folder, fileName)));
				}
			}),
	);
	return [...agents.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function createFileSummary(name: string, mode: string, file: string): AgentSummary {
	const unknown = { description: '', published: false, draft: false, workflow_id: null, variables: [], error: null, updated_at: 0 };
	return { ...unknown, name, mode, file };
}

/** Reads the mode of an app in the `app` block, which Dify writes first. Rejects for links out of the folder, like the gateway. */
async function readMode(fileName: string, folder: string): Promise<string> {
	const handle = await fs.open(resolveInside(fileName, { folder, root: folder }), resolvedReadFlags);
	try {
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes));
		let isInApp = false;
		for (const line of buffer.toString('utf8', 0, bytesRead).split('\n')) {
			isInApp = /^[^\s#]/.test(line) ? line.startsWith('app:') : isInApp;
			const mode = isInApp ? /^\s+mode: *["']?([\w-]+)/.exec(line)?.[1] : undefined;
			if (mode !== undefined) {
				return mode;
			}
		}
		return 'workflow';
	} finally {
		await handle.close();
	}
}
