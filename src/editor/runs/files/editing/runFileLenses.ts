import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isRunActive } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connections } from '../../../connections/connectionTypes.ts';
import { isEditableScheme } from '../../../platform/names.ts';
import { formatLastRun } from '../../../platform/runWording.ts';
import type { FileRecordings } from '../../recordings/fileRecordings.ts';
import type { FileTargets } from '../fileTargets.ts';

/** Code lenses at the top of a run file that run, debug or stop it and show the outcome of its last run. */
export class RunFileLenses extends DisposableBase implements vscode.CodeLensProvider {
	readonly #runs: Runs;
	readonly #connections: Connections;
	readonly #targets: FileTargets;
	readonly #recordings: Pick<FileRecordings, 'findExistingFile'>;
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChangeCodeLenses = this.#changed.event;
	readonly #statuses = new Map<string, string>();

	constructor(
		runs: Runs,
		connections: Connections,
		targets: FileTargets,
		recordings: Pick<FileRecordings, 'findExistingFile' | 'onDidFinish'>,
	) {
		super();
		this.#runs = runs;
		this.#connections = connections;
		this.#targets = targets;
		this.#recordings = recordings;
		this.register(recordings.onDidFinish(() => this.refreshLenses()));
		this.register(connections.onDidChange(id => id === undefined && this.refreshLenses()));
		this.register(runs.onDidChange(record => this.#onRunChange(record)));
		this.register(targets.onDidChoose(() => this.refreshLenses()));
		this.register(runs.onDidRemove(() => this.#changed.fire()));
		// the last run's lens says how long ago it was
		const ageing = setInterval(() => runs.list().length > 0 && this.#changed.fire(), 60_000);
		this.register({ dispose: () => clearInterval(ageing) });
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const { uri } = document;
		if (!isEditableScheme(uri.scheme)) {
			return [];
		}
		const createCodeLens = (title: string, command: string, tooltip: string, ...args: unknown[]) =>
			new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, tooltip, arguments: args });
		const last = this.#runs.list({ file: uri.toString() })[0];
		return [
			createCodeLens(
				vscode.l10n.t({ message: '$(play) Run', comment: ['verb: starts a run of the file'] }),
				'agentWorkbench.workflow.runFile',
				vscode.l10n.t('Run the agent with the current contents of this file and stream the events'),
				uri,
			),
			createCodeLens(
				vscode.l10n.t('$(debug-alt) Debug'),
				'agentWorkbench.debug.start',
				vscode.l10n.t('Run the current version of the agent file and stop at breakpoints (F5)'),
				uri,
			),
			...this.#createReplayLens(document),
			createCodeLens(
				vscode.l10n.t('Run blocking'),
				'agentWorkbench.workflow.runFileBlocking',
				vscode.l10n.t('Run the agent and wait for a single response'),
				uri,
			),
			createCodeLens(
				vscode.l10n.t('Copy as cURL'),
				'agentWorkbench.runFile.copyAsCurl',
				vscode.l10n.t('Copy the request as a cURL command that reads the API key from a shell variable'),
				uri,
			),
			...(this.#connections.list().length > 1 || this.#targets.isConnectionChosen(uri) ? [this.#createConnectionLens(uri)] : []),
			...(last && isRunActive(last)
				? [
						createCodeLens(
							vscode.l10n.t('$(debug-stop) Stop'),
							'agentWorkbench.run.stop',
							vscode.l10n.t('Stop the run of this file'),
							last.key,
						),
					]
				: []),
			...(last
				? [createCodeLens(formatLastRun(last), 'agentWorkbench.run.inspect', last.error ?? vscode.l10n.t('Inspect this run'), last.key)]
				: []),
		];
	}

	/** Shown only if there is a recording. */
	#createReplayLens(document: vscode.TextDocument): vscode.CodeLens[] {
		const { uri } = document;
		const file = uri.scheme === 'file' ? this.#recordings.findExistingFile(uri, document.getText()) : undefined;
		if (file === undefined) {
			return [];
		}
		const title = vscode.l10n.t('$(debug-rerun) Replay');
		const tooltip = vscode.l10n.t('Run the agent with the recorded replies of {0}, without calls and costs', path.basename(file));
		return [
			new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, tooltip, command: 'agentWorkbench.runFile.replay', arguments: [uri] }),
		];
	}

	/** Shown only if there is a choice, because most users have only one connection. */
	#createConnectionLens(uri: vscode.Uri): vscode.CodeLens {
		const { name, user } = this.#targets.getConnection(uri);
		const title = `$(plug) ${name} · ${user}`;
		const tooltip = vscode.l10n.t('Select the connection and user for this file');
		return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
			title,
			tooltip,
			command: 'agentWorkbench.runFile.chooseConnection',
			arguments: [uri],
		});
	}

	refreshLenses(): void {
		this.#changed.fire();
	}

	// lenses move the text when they appear and disappear, so update them for each new status but not for each node
	#onRunChange({ key, status, file }: RunRecord): void {
		if (file && this.#statuses.get(key) !== status) {
			this.#statuses.set(key, status);
			this.#changed.fire();
		}
	}
}
