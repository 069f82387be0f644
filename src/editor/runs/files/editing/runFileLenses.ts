import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isActive } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connections } from '../../../connections/connectionTypes.ts';
import { isEditedScheme } from '../../../platform/names.ts';
import { statusIconText, statusText } from '../../../platform/runWording.ts';
import { agoText, durationText } from '../../../platform/wording.ts';
import type { FileTargets } from '../fileTargets.ts';

/** Above a run file: run it, run it blocking, stop it, and how its last run ended. */
export class RunFileLenses extends DisposableBase implements vscode.CodeLensProvider {
	readonly #runs: Runs;
	readonly #connections: Connections;
	readonly #targets: FileTargets;
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChangeCodeLenses = this.#changed.event;
	readonly #statuses = new Map<string, string>();

	constructor(runs: Runs, connections: Connections, targets: FileTargets) {
		super();
		this.#runs = runs;
		this.#connections = connections;
		this.#targets = targets;
		this.own(connections.onDidChange(id => id === undefined && this.refresh()));
		this.own(runs.onDidChange(record => this.#onRunChange(record)));
		this.own(targets.onDidChoose(() => this.refresh()));
		this.own(runs.onDidRemove(() => this.#changed.fire()));
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const { uri } = document;
		if (!isEditedScheme(uri.scheme)) {
			return [];
		}
		const lens = (title: string, command: string, tooltip: string, ...args: unknown[]) =>
			new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, tooltip, arguments: args });
		const last = this.#runs.list({ file: uri.toString() })[0];
		return [
			lens(
				`$(play) ${vscode.l10n.t('Run')}`,
				'agentWorkbench.workflow.runFile',
				vscode.l10n.t('Run the workflow with what this file holds now, and stream its events'),
				uri,
			),
			lens(
				`$(debug-alt) ${vscode.l10n.t('Debug')}`,
				'agentWorkbench.debug.start',
				vscode.l10n.t('Run the agent as its file stands now, and stop at breakpoints (F5)'),
				uri,
			),
			lens(
				vscode.l10n.t('Run blocking'),
				'agentWorkbench.workflow.runFileBlocking',
				vscode.l10n.t('Run the workflow and wait for one answer at its end'),
				uri,
			),
			lens(
				vscode.l10n.t('Copy as cURL'),
				'agentWorkbench.runFile.copyAsCurl',
				vscode.l10n.t('Copy the request as a command line; the key is a shell variable in it'),
				uri,
			),
			...(this.#connections.list().length > 1 || this.#targets.isChosen(uri) ? [this.#createConnectionLens(uri)] : []),
			...(last && isActive(last)
				? [lens(`$(debug-stop) ${vscode.l10n.t('Stop')}`, 'agentWorkbench.run.stop', vscode.l10n.t('Stop the run of this file'), last.key)]
				: []),
			...(last ? [lens(formatLastRun(last), 'agentWorkbench.run.inspect', last.error ?? vscode.l10n.t('Inspect this run'), last.key)] : []),
		];
	}

	/** Only where there is a choice: most people have one connection. */
	#createConnectionLens(uri: vscode.Uri): vscode.CodeLens {
		const { name, user } = this.#targets.getConnection(uri);
		const title = `$(plug) ${name} · ${user}`;
		const tooltip = vscode.l10n.t('Choose the connection and the user of this file');
		return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
			title,
			tooltip,
			command: 'agentWorkbench.runFile.chooseConnection',
			arguments: [uri],
		});
	}

	/** Draws the lenses anew. */
	refresh(): void {
		this.#changed.fire();
	}

	// lenses move the text when they come and go: only a change of status is worth it, not each node
	#onRunChange({ key, status, file }: RunRecord): void {
		if (file && this.#statuses.get(key) !== status) {
			this.#statuses.set(key, status);
			this.#changed.fire();
		}
	}
}

function formatLastRun(record: RunRecord): string {
	switch (record.status) {
		case 'starting':
		case 'running':
			return `$(sync~spin) ${vscode.l10n.t('running')}`;
		case 'stopping':
			return `$(sync~spin) ${vscode.l10n.t('stopping')}`;
		default: {
			const time = record.elapsedSeconds === undefined ? '' : ` ${durationText(record.elapsedSeconds * 1000)}`;
			const outcome = `${statusText(record.status)}${time}`;
			return `${statusIconText(record.status)} ${vscode.l10n.t('Last run: {0}, {1}', outcome, agoText(record.startedAt))}`;
		}
	}
}
