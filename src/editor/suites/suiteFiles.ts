import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { ReadSuite } from '#suites/suite.ts';
import { foreignFolders, suiteFilePattern } from '../platform/names.ts';
import type { RunFileService } from '../runs/files/runFileService.ts';

/** Enough for any workspace that people work in by hand; more would only be slow. */
const mostFiles = 2000;

/** The suite files of the workspace, and how each reads: with the text that the editor has of it, and the agents of its connection. */
export class SuiteFiles extends DisposableBase {
	readonly #runFiles: RunFileService;
	readonly #changed = this.own(new vscode.EventEmitter<vscode.Uri>());
	/** A suite file came or has changed on the disk. */
	readonly onDidChange = this.#changed.event;
	readonly #removed = this.own(new vscode.EventEmitter<vscode.Uri>());
	/** A file or folder is gone. */
	readonly onDidRemove = this.#removed.event;

	constructor(runFiles: RunFileService) {
		super();
		this.#runFiles = runFiles;
		const files = this.own(vscode.workspace.createFileSystemWatcher(suiteFilePattern, false, false, true));
		this.own(files.onDidCreate(uri => this.#changed.fire(uri)));
		this.own(files.onDidChange(uri => this.#changed.fire(uri)));
		// of a folder that is deleted only the folder is told
		const all = this.own(vscode.workspace.createFileSystemWatcher('**', true, true, false));
		this.own(all.onDidDelete(uri => this.#removed.fire(uri)));
	}

	/** All suite files, by path; those of packages and of git are none. */
	async find(): Promise<vscode.Uri[]> {
		const found = await vscode.workspace.findFiles(suiteFilePattern, foreignFolders, mostFiles);
		return found.sort((a, b) => (a.path < b.path ? -1 : 1));
	}

	/** Reads a suite for a list or its diagnostics: against what is known of its connection, so that nothing is started. */
	async readForDisplay(uri: vscode.Uri): Promise<ReadSuite> {
		return this.#readWithAgents(uri, await this.#runFiles.knownAgents(this.#runFiles.connection(uri)));
	}

	/** Reads a suite to run it; starts the service where it has to. */
	async read(uri: vscode.Uri): Promise<ReadSuite> {
		return this.#readWithAgents(uri, await this.#runFiles.agents(this.#runFiles.connection(uri)));
	}

	async #readWithAgents(uri: vscode.Uri, agents: Awaited<ReturnType<RunFileService['knownAgents']>>): Promise<ReadSuite> {
		const connection = this.#runFiles.connection(uri);
		return readSuite(await readSuiteText(uri), uri.fsPath, {
			connection: connection.name,
			agents,
			takesMocks: connection.kind === 'built-in',
			root: getSuiteRoot(uri),
			t: vscode.l10n.t,
		});
	}
}

/** Folder that no path of a suite leads out of: its folder of the workspace, else the one that it lies in. */
export function getSuiteRoot(uri: vscode.Uri): string {
	return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
}

async function readSuiteText(uri: vscode.Uri): Promise<string> {
	const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
	return open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
