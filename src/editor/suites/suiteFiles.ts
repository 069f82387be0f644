import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { ReadSuite } from '#suites/suite.ts';
import { foreignFolders, suiteFilePattern } from '../platform/names.ts';
import { readSmallFile } from '../platform/smallFile.ts';
import type { RunFileService } from '../runs/files/runFileService.ts';

/** Maximum number of suite files. More than enough for suites that are edited by hand. */
const mostFiles = 2000;

/** Finds and reads the workspace's suite files. Includes unsaved changes and the agents of the suites' connections. */
export class SuiteFiles extends DisposableBase {
	readonly #runFiles: RunFileService;
	readonly #changed = this.register(new vscode.EventEmitter<vscode.Uri>());
	/** Fires when a suite file was created or changed on disk. */
	readonly onDidChange = this.#changed.event;
	readonly #removed = this.register(new vscode.EventEmitter<vscode.Uri>());
	/** Fires when any file or folder was deleted. */
	readonly onDidRemove = this.#removed.event;

	constructor(runFiles: RunFileService) {
		super();
		this.#runFiles = runFiles;
		const files = this.register(vscode.workspace.createFileSystemWatcher(suiteFilePattern, false, false, true));
		this.register(files.onDidCreate(uri => this.#changed.fire(uri)));
		this.register(files.onDidChange(uri => this.#changed.fire(uri)));
		// when a folder is deleted, there is an event only for the folder
		const all = this.register(vscode.workspace.createFileSystemWatcher('**', true, true, false));
		this.register(all.onDidDelete(uri => this.#removed.fire(uri)));
	}

	/** Returns all suite files sorted by path. Skips package folders and `.git`. */
	async findSuites(): Promise<vscode.Uri[]> {
		const found = await vscode.workspace.findFiles(suiteFilePattern, foreignFolders, mostFiles);
		return found.sort((a, b) => (a.path < b.path ? -1 : 1));
	}

	/** Reads a suite for display, with the agents known so far. Never starts the service. */
	async readSuiteForDisplay(uri: vscode.Uri): Promise<ReadSuite> {
		return this.#readWithAgents(uri, await this.#runFiles.getKnownAgents(this.#runFiles.getConnection(uri)));
	}

	/** Reads a suite in order to run it. Starts the service if necessary. */
	async readSuite(uri: vscode.Uri): Promise<ReadSuite> {
		return this.#readWithAgents(uri, await this.#runFiles.loadAgents(this.#runFiles.getConnection(uri)));
	}

	async #readWithAgents(uri: vscode.Uri, agents: Awaited<ReturnType<RunFileService['getKnownAgents']>>): Promise<ReadSuite> {
		const connection = this.#runFiles.getConnection(uri);
		return readSuite(await readSuiteText(uri), uri.fsPath, {
			connection: connection.name,
			agents,
			takesMocks: connection.kind === 'built-in',
			root: getSuiteRoot(uri),
			t: vscode.l10n.t,
		});
	}
}

/** Returns the folder that paths in a suite must not leave: its workspace folder, or the folder of the suite if it isn't in one. */
export function getSuiteRoot(uri: vscode.Uri): string {
	return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
}

async function readSuiteText(uri: vscode.Uri): Promise<string> {
	const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
	return open?.getText() ?? readSmallFile(uri);
}
