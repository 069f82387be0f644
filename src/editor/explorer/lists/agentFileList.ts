import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { resolvedReadFlags, resolveInside } from '#base/files/fileScope.ts';
import { runConcurrently } from '#base/timing/runConcurrently.ts';
import type { AgentSummary } from '#contract/agents.ts';

/** Bytes at the start of an agent file that are searched for its mode. */
const headBytes = 16 * 1024;
/** Number of files to read concurrently, because systems limit the number of open files. */
const filesAtOnce = 16;

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

/** Reads the files in the gateway's order: of several files for one agent, the first one counts. */
async function readAgentFiles(folders: readonly string[]): Promise<readonly AgentSummary[]> {
	const listed = await Promise.all(
		folders.map(async folder => (await fs.readdir(folder).catch(() => [])).sort().map(fileName => ({ folder, fileName }))),
	);
	const files = listed
		.flat()
		.map(file => ({ ...file, name: file.fileName.replace(/\.ya?ml$/i, ''), mode: undefined as string | undefined }))
		.filter(({ fileName, name }) => name !== '' && name !== fileName);
	await runConcurrently(files, filesAtOnce, undefined, async file => {
		file.mode = await readMode(file.fileName, file.folder).catch(() => undefined);
	});
	const agents = new Map<string, AgentSummary>();
	for (const { folder, fileName, name, mode } of files) {
		if (mode !== undefined && !agents.has(name)) {
			agents.set(name, createFileSummary(name, mode, path.join(folder, fileName)));
		}
	}
	return [...agents.values()].sort((one, other) => one.name.localeCompare(other.name));
}

function createFileSummary(name: string, mode: string, file: string): AgentSummary {
	const unknown = { description: '', published: false, draft: false, workflow_id: null, variables: [], error: null, updated_at: 0 };
	return { ...unknown, name, mode, file };
}

/**
 * Reads the mode of an app in the `app` block, which Dify writes first. Rejects for links out of the folder and for anything but files, like
 * the gateway.
 */
async function readMode(fileName: string, folder: string): Promise<string> {
	const handle = await fs.open(resolveInside(fileName, { folder, root: folder }), resolvedReadFlags);
	try {
		if (!(await handle.stat()).isFile()) {
			throw new Error(`'${fileName}' isn't a file`);
		}
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
