import * as vscode from 'vscode';
import { messageOf, type Remedy, remedyOf } from '../common/problems.ts';
import { oneLine } from '../common/wording.ts';
import type { Connection, Connections } from '../connections/connectionTypes.ts';
import type { WorkflowRunRequest } from '../protocol/workflows.ts';
import type { Runner, RunOrigin } from './runner.ts';
import { showProgress } from './runProgress.ts';
import type { RunsChannel } from './runsChannel.ts';
import type { RunRecord, Runs } from './runTypes.ts';

export interface RunStarterParts {
	readonly connections: Connections;
	readonly runner: Runner;
	readonly runs: Runs;
	readonly channel: RunsChannel;
}

/** Starts a run as a user wants to see it: its output channel, its progress, and what to do where it failed. */
export class RunStarter {
	readonly #parts: RunStarterParts;

	constructor(parts: RunStarterParts) {
		this.#parts = parts;
	}

	/** Runs to the end and returns the run's last state; a failure is shown with what mends it. */
	async run(connection: Connection, request: WorkflowRunRequest, origin: RunOrigin): Promise<RunRecord> {
		const { connections, runner, runs, channel } = this.#parts;
		channel.show();
		const started = runner.start(connection, request, origin);
		const record = await showProgress(started, runs, runner);
		const failure = started.failure();
		if (failure !== undefined) {
			const problem = connections.problem(connection.id, failure);
			void showFailure(record, messageOf(problem), remedyOf(problem));
		} else if (record.status === 'failed' || record.status === 'lost') {
			void showFailure(record, record.error ?? '', undefined);
		}
		return record;
	}
}

async function showFailure(record: RunRecord, why: string, remedy: Remedy | undefined): Promise<void> {
	const sentence =
		record.status === 'lost'
			? vscode.l10n.t('{0}: how the run ended is not known. {1}', record.agent, oneLine(why, 300))
			: vscode.l10n.t('{0} failed: {1}', record.agent, oneLine(why, 300));
	const open = vscode.l10n.t('Open Run');
	const choice = await vscode.window.showErrorMessage(sentence, ...(remedy ? [remedy.title] : []), open);
	if (choice === open) {
		await vscode.commands.executeCommand('agentWorkbench.run.open', record.key);
	} else if (remedy && choice === remedy.title) {
		await vscode.commands.executeCommand(remedy.command, ...(remedy.arguments ?? []));
	}
}
