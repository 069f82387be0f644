import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isInsideWorkspace } from '../../platform/fileScopes.ts';
import { isWorkspaceTrusted, onDidGrantTrust } from '../../platform/trust.ts';
import { checkFileSize, textByteLimit } from '../attachments/attachments.ts';
import { readFileBytes } from '../attachments/fileAttachments.ts';

const fileName = 'AGENTS.md';
const setting = 'useAgentsFile';

/** The instructions in `AGENTS.md` at the roots of the workspace, which models get before the system prompt of a chat. */
export class AgentInstructions extends DisposableBase {
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	/** Fires when the files that exist have changed. */
	readonly onDidChange = this.#changed.event;
	#files: readonly vscode.Uri[] = [];

	constructor() {
		super();
		const watcher = this.register(vscode.workspace.createFileSystemWatcher(`**/${fileName}`, false, true, false));
		const update = () => void this.#updateFiles();
		this.register(watcher.onDidCreate(update));
		this.register(watcher.onDidDelete(update));
		this.register(vscode.workspace.onDidChangeWorkspaceFolders(update));
		this.register(onDidGrantTrust(update));
		update();
	}

	/** Returns the URIs of the files, or undefined if there are none, and whether the setting uses them. Not in an untrusted workspace. */
	getState(): { readonly files: readonly string[]; readonly on: boolean } | undefined {
		return this.#files.length > 0 && isWorkspaceTrusted() ? { files: this.#files.map(String), on: this.#isOn() } : undefined;
	}

	/** Changes the setting for this workspace. */
	async setOn(on: boolean): Promise<void> {
		await vscode.workspace.getConfiguration('agentWorkbench.chat').update(setting, on, vscode.ConfigurationTarget.Workspace);
	}

	/** Returns the text of the files, or an empty string if there are none or the setting is off. */
	async readText(): Promise<string> {
		await this.#updateFiles();
		if (!isWorkspaceTrusted() || !this.#isOn()) {
			return '';
		}
		const texts = await Promise.all(
			this.#files.map(async uri => {
				const bytes = await readFileBytes(uri);
				checkFileSize(vscode.l10n, vscode.workspace.asRelativePath(uri), bytes.length, textByteLimit);
				return Buffer.from(bytes).toString('utf8').trim();
			}),
		);
		return texts.filter(text => text !== '').join('\n\n');
	}

	#isOn(): boolean {
		return vscode.workspace.getConfiguration('agentWorkbench.chat').get(setting, true);
	}

	async #updateFiles(): Promise<void> {
		const candidates = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => vscode.Uri.joinPath(uri, fileName));
		const exist = await Promise.all(
			candidates.map(uri =>
				vscode.workspace.fs.stat(uri).then(
					({ type }) => (type & vscode.FileType.File) !== 0 && isInsideWorkspace(uri),
					() => false,
				),
			),
		);
		const before = String(this.#files);
		this.#files = candidates.filter((_, index) => exist[index]);
		if (String(this.#files) !== before && !this.disposed) {
			this.#changed.fire();
		}
	}
}
