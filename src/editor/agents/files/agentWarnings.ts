import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentCheck, AgentFileFault } from '#contract/agents.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import type { AgentFileSource, AgentFiles } from './agentFiles.ts';

/** Warnings that are told at once. */
const mostTold = 5;

/** Tells what is doubtful in an agent file before it runs: a run with a reference that leads nowhere succeeds, with nothing in its place. */
export class AgentWarnings {
	readonly #files: Pick<AgentFiles, 'check'>;
	readonly #connections: Connections;
	/** What was run all the same in this window, by file: nobody is asked twice. */
	readonly #accepted = new Map<string, ReadonlySet<string>>();

	constructor(files: Pick<AgentFiles, 'check'>, connections: Connections) {
		this.#files = files;
		this.#connections = connections;
	}

	/**
	 * Has warnings accepted before an agent runs whose text nobody has published: a draft's, or what the run publishes. `file`: the agent file of a draft.
	 * Rejects with a cancellation where the user backs out.
	 */
	async confirm(connection: Connection, agent: string, file: vscode.Uri | undefined): Promise<void> {
		const uri = connection.kind === 'built-in' ? (file ?? (await this.#unpublished(connection, agent))) : undefined;
		if (!uri) {
			return;
		}
		// what is published is what is saved; and while the user is asked, the file may change
		const read = file === undefined ? () => saved(uri) : () => vscode.workspace.openTextDocument(uri);
		for (;;) {
			const warnings = warningsOf(await this.#files.check(await read()));
			const accepted = this.#accepted.get(uri.toString());
			if (warnings.every(({ path, message }) => accepted?.has(`${path} ${message}`))) {
				return;
			}
			await ask(uri, warnings);
			this.#accepted.set(uri.toString(), new Set(warnings.map(({ path, message }) => `${path} ${message}`)));
		}
	}

	async #unpublished({ id }: Connection, agent: string): Promise<vscode.Uri | undefined> {
		const summary = (await this.#connections.agents(id)).find(({ name }) => name === agent);
		return summary?.file && !summary.published ? vscode.Uri.file(summary.file) : undefined;
	}
}

/** A file as it lies there, whatever an editor has of it. */
async function saved(uri: vscode.Uri): Promise<AgentFileSource> {
	const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	return { uri, getText: () => text };
}

/** What is doubtful in a text that can be run. */
export function warningsOf({ faults }: AgentCheck): readonly AgentFileFault[] {
	return faults.filter(({ severity }) => severity === 'warning');
}

/** Warnings as a question tells them, a line each. */
export function warningText(uri: vscode.Uri, warnings: readonly AgentFileFault[]): string {
	const name = path.posix.basename(uri.path);
	const lines = warnings
		.slice(0, mostTold)
		.map(({ line, path: at, message }) => `${name}:${line}: ${at === '' ? '' : `${at}: `}${message}`);
	const more = warnings.length - lines.length;
	return [...lines, ...(more > 0 ? [vscode.l10n.t('{0} more', more)] : [])].join('\n');
}

async function ask(uri: vscode.Uri, warnings: readonly AgentFileFault[]): Promise<void> {
	const run = vscode.l10n.t('Run Anyway');
	const show = vscode.l10n.t('Show Problems');
	const name = path.posix.basename(uri.path);
	const question =
		warnings.length === 1
			? vscode.l10n.t('{0} has a warning. Run it all the same?', name)
			: vscode.l10n.t('{0} has {1} warnings. Run it all the same?', name, warnings.length);
	const choice = await vscode.window.showWarningMessage(question, { modal: true, detail: warningText(uri, warnings) }, run, show);
	if (choice === show) {
		await vscode.window.showTextDocument(uri, { preview: false });
		await vscode.commands.executeCommand('workbench.actions.view.problems');
	}
	if (choice !== run) {
		throw new vscode.CancellationError();
	}
}
