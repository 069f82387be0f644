import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentCheck, AgentFileFault } from '#contract/agents.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import type { AgentFileSource, AgentFiles } from './agentFiles.ts';

/** Maximum number of warnings listed in a question. */
const maxShown = 5;

/** Asks for confirmation before running an agent with warnings. For example, an invalid reference would silently become an empty string. */
export class AgentWarnings {
	readonly #files: Pick<AgentFiles, 'checkText'>;
	readonly #connections: Connections;
	/** Warnings accepted in this window, by file, so that the user is asked only once. */
	readonly #accepted = new Map<string, ReadonlySet<string>>();

	constructor(files: Pick<AgentFiles, 'checkText'>, connections: Connections) {
		this.#files = files;
		this.#connections = connections;
	}

	/**
	 * Asks the user to accept the warnings of an unpublished text before it runs. `file` is the agent file of a draft. Without it, checks the
	 * text that the run will publish. Rejects with a cancellation if the user cancels.
	 */
	async confirmWarnings(connection: Connection, agent: string, file: vscode.Uri | undefined): Promise<void> {
		const uri = connection.kind === 'built-in' ? (file ?? (await this.#findUnpublishedFile(connection, agent))) : undefined;
		if (!uri) {
			return;
		}
		// publishing uses the saved text; it's read again after each question, because the file may have changed
		const read = file === undefined ? () => readSavedText(uri) : () => vscode.workspace.openTextDocument(uri);
		for (;;) {
			const warnings = getWarnings(await this.#files.checkText(await read()));
			const accepted = this.#accepted.get(uri.toString());
			if (warnings.every(({ path, message }) => accepted?.has(`${path} ${message}`))) {
				return;
			}
			await askToRunAnyway(uri, warnings);
			this.#accepted.set(uri.toString(), new Set(warnings.map(({ path, message }) => `${path} ${message}`)));
		}
	}

	async #findUnpublishedFile({ id }: Connection, agent: string): Promise<vscode.Uri | undefined> {
		const summary = (await this.#connections.listAgents(id)).find(({ name }) => name === agent);
		return summary?.file && !summary.published ? vscode.Uri.file(summary.file) : undefined;
	}
}

/** Reads the saved text of a file, ignoring unsaved changes. */
async function readSavedText(uri: vscode.Uri): Promise<AgentFileSource> {
	const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	return { uri, getText: () => text };
}

/** Returns the warnings in a check's result. */
export function getWarnings({ faults }: AgentCheck): readonly AgentFileFault[] {
	return faults.filter(({ severity }) => severity === 'warning');
}

/** Formats warnings for a question, one per line. */
export function formatWarnings(uri: vscode.Uri, warnings: readonly AgentFileFault[]): string {
	const name = path.posix.basename(uri.path);
	// the gateway's messages are English, so prefer the editor's own ones
	const own = vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint);
	const problems = new Map(own.map(({ range, message }) => [range.start.line + 1, message]));
	const lines = warnings.slice(0, maxShown).map(({ line, path: at, message }) => {
		const problem = problems.get(line) ?? `${at === '' ? '' : `${at}: `}${message}`;
		return `${name}:${line}: ${problem}`;
	});
	const more = warnings.length - lines.length;
	return [
		...lines,
		...(more > 0
			? [vscode.l10n.t({ message: 'and {0} more', args: [more], comment: ['{0} is a number; the last line of a list that was cut off'] })]
			: []),
	].join('\n');
}

async function askToRunAnyway(uri: vscode.Uri, warnings: readonly AgentFileFault[]): Promise<void> {
	const run = vscode.l10n.t('Run anyway');
	const show = vscode.l10n.t('Show problems');
	const name = path.posix.basename(uri.path);
	const question =
		warnings.length === 1
			? vscode.l10n.t("'{0}' has a warning. Run it anyway?", name)
			: vscode.l10n.t("'{0}' has {1} warnings. Run it anyway?", name, warnings.length);
	const choice = await vscode.window.showWarningMessage(question, { modal: true, detail: formatWarnings(uri, warnings) }, run, show);
	if (choice === show) {
		await vscode.window.showTextDocument(uri, { preview: false });
		await vscode.commands.executeCommand('workbench.actions.view.problems');
	}
	if (choice !== run) {
		throw new vscode.CancellationError();
	}
}
