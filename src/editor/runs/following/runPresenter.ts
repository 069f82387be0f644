import * as vscode from 'vscode';
import { messageOf, type Remedy, remedyOf } from '#base/problems.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connection, PrepareAgent } from '../../connections/connectionTypes.ts';
import { requireTrust } from '../../platform/trust.ts';
import { oneLine, withoutLinks } from '../../platform/wording.ts';
import type { OutputReveal } from './outputReveal.ts';
import type { RunControl, RunOrigin } from './runControl.ts';
import { showProgress } from './runProgress.ts';
import type { RunServices } from './runServices.ts';

/** Where runs are on the screen. */
export interface RunViews {
	isVisible(key: string): boolean;
	/** Goes on with the run that repeats the one that is shown. */
	follow(repeated: string, key: string): void;
}

interface RunPresenterParts {
	readonly services: RunServices;
	readonly control: RunControl;
	readonly runs: Runs;
	readonly reveal: OutputReveal;
	/** What shows runs on the screen; `undefined` while nothing does. */
	readonly views: () => RunViews | undefined;
	/** Sees to it that the service has what a run needs beside its request; asks the user where it has to, and rejects where they back out. */
	readonly prepare: PrepareAgent;
}

/** Starts a run as a user wants to see it: its output channel, its progress, and what to do where it failed. What the screen shows already is not told again. */
export class RunPresenter {
	readonly #parts: RunPresenterParts;

	constructor(parts: RunPresenterParts) {
		this.#parts = parts;
	}

	/**
	 * Runs to the end and returns the run's last state; a failure is shown with what mends it. Rejects for the draft of an agent file in a workspace that
	 * is not trusted: the request carries the code that runs. `began` hears of the run's key once it has one.
	 */
	async run(
		connection: Connection,
		request: WorkflowRunRequest,
		origin: RunOrigin,
		began: (key: string) => void = () => undefined,
	): Promise<RunRecord> {
		const { services, control, runs, reveal, views, prepare } = this.#parts;
		if (origin.draft) {
			requireTrust();
		}
		await prepare(connection, request.model, origin.draft && vscode.Uri.parse(origin.draft.agentFile));
		reveal.started();
		const started = control.start(connection, request, origin);
		began(started.key);
		if (origin.repeats !== undefined) {
			views()?.follow(origin.repeats, started.key);
		}
		const isOnScreen = () => views()?.isVisible(started.key) ?? false;
		const record = await showProgress(started, runs, control, origin.debugged || isOnScreen());
		const failure = started.failure();
		if (failure !== undefined) {
			reveal.failed();
			const problem = services.problem(record, failure);
			const remedy = remedyOf(problem);
			// what mends it is offered nowhere else
			if (remedy || !isOnScreen()) {
				void showFailure(record, messageOf(problem), remedy);
			}
		} else if (record.status === 'failed' || record.status === 'lost') {
			reveal.failed();
			if (!isOnScreen()) {
				void showFailure(record, record.error ?? '', undefined);
			}
		}
		return record;
	}
}

async function showFailure(record: RunRecord, why: string, remedy: Remedy | undefined): Promise<void> {
	const sentence =
		record.status === 'lost'
			? vscode.l10n.t('{0}: how the run ended is not known. {1}', record.agent, oneLine(why, 300))
			: vscode.l10n.t('{0} failed: {1}', record.agent, oneLine(why, 300));
	const inspect = vscode.l10n.t('Inspect Run');
	const choice = await vscode.window.showErrorMessage(withoutLinks(sentence), ...(remedy ? [remedy.title] : []), inspect);
	if (choice === inspect) {
		await vscode.commands.executeCommand('agentWorkbench.run.inspect', record.key);
	} else if (remedy && choice === remedy.title) {
		await vscode.commands.executeCommand(remedy.command, ...(remedy.arguments ?? []));
	}
}
