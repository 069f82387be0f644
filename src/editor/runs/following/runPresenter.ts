import * as vscode from 'vscode';
import { getErrorMessage, getRemedy, type Remedy } from '#base/problems.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import { readNodeEnds } from '#runs/following/nodeEnds.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connection, PrepareAgent } from '../../connections/connectionTypes.ts';
import { requireTrust } from '../../platform/trust.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';
import type { FileRecordings } from '../recordings/fileRecordings.ts';
import { createRecordRemedy } from '../recordings/recordingMessages.ts';
import type { OutputReveal } from './outputReveal.ts';
import type { RunControl, RunOrigin } from './runControl.ts';
import type { RunServices } from './runServices.ts';

/** The views that show runs. */
export interface RunViews {
	isRunVisible(key: string): boolean;
	/** Shows a repetition instead of the repeated run in all views that show that run. */
	showRepetition(repeated: string, key: string): void;
}

interface RunPresenterParts {
	readonly services: RunServices;
	readonly control: RunControl;
	readonly journals: EventJournals;
	/** Returns the absolute paths of the agents folders. */
	readonly agentFolders: () => readonly string[];
	readonly reveal: OutputReveal;
	/** Returns the views, or `undefined` if none has been opened. */
	readonly views: () => RunViews | undefined;
	/** Provides the service with everything besides the request that a run needs. May ask the user, and rejects if the user cancels. */
	readonly prepare: PrepareAgent;
	readonly recordings: Pick<FileRecordings, 'finishRecording'>;
}

/** Starts a run, and shows its output channel, and its failure unless an inspector already shows the run. The status bar shows its progress. */
export class RunPresenter {
	readonly #parts: RunPresenterParts;

	constructor(parts: RunPresenterParts) {
		this.#parts = parts;
	}

	/**
	 * Executes a run until it ends and returns its last state. Shows a failure with a remedy. Rejects for the draft of an agent file in an
	 * untrusted workspace, because the request contains code. `onStart` is called with the run's key.
	 */
	async run(
		connection: Connection,
		request: WorkflowRunRequest,
		origin: RunOrigin,
		onStart: (key: string) => void = () => undefined,
	): Promise<RunRecord> {
		const { services, control, reveal, views, prepare, recordings } = this.#parts;
		if (origin.draft) {
			requireTrust();
		}
		if (origin.recording?.mode !== 'none') {
			await prepare(connection, request.model, origin.draft && vscode.Uri.parse(origin.draft.agentFile));
		}
		reveal.onRunStart();
		const started = control.start(connection, request, origin);
		onStart(started.key);
		if (origin.repeats !== undefined) {
			views()?.showRepetition(origin.repeats, started.key);
		}
		const isRunOnScreen = () => views()?.isRunVisible(started.key) ?? false;
		const record = await started.ended;
		const failure = started.getFailure();
		if (failure !== undefined) {
			reveal.onRunFailure();
			const problem = services.toProblem(record, failure);
			const remedy = getRemedy(problem);
			// the remedy isn't offered anywhere else
			if (remedy || !isRunOnScreen()) {
				void showRunFailure(record, getErrorMessage(problem), remedy);
			}
		} else if (record.status === 'failed' || record.status === 'lost') {
			reveal.onRunFailure();
			// already finished when the run ended
			const [miss] = (origin.recording && (await recordings.finishRecording(origin.recording.id, true)))?.misses ?? [];
			if (miss && record.file !== undefined) {
				void showRunFailure(record, miss.message, createRecordRemedy(vscode.Uri.parse(record.file)));
			} else if (!isRunOnScreen()) {
				const source = await this.#findFailedNode(record);
				void showRunFailure(record, record.error ?? '', source);
			}
		}
		return record;
	}

	/** Returns the remedy that shows the failed node in its agent file, at the line that failed. `undefined` if it's unknown. */
	async #findFailedNode(record: RunRecord): Promise<Remedy | undefined> {
		try {
			const { failed } = await readNodeEnds(this.#parts.journals.readEntries(record.key));
			const [node, error] = [...failed].at(-1) ?? [];
			const { RunGraphs } = await import('../inspector/runGraphs.ts');
			const place = node === undefined ? undefined : await new RunGraphs(this.#parts.agentFolders).findNode(record, node, error);
			if (place === undefined || 'why' in place) {
				return undefined;
			}
			const selection = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
			return { title: vscode.l10n.t('Go to source'), command: 'vscode.open', arguments: [place.uri, { selection }] };
		} catch {
			// the run failed, and its message matters more than the link
			return undefined;
		}
	}
}

async function showRunFailure(record: RunRecord, why: string, remedy: Remedy | undefined): Promise<void> {
	const message =
		record.status === 'lost'
			? vscode.l10n.t("The outcome of '{0}' is unknown. {1}", record.agent, toOneLine(why, 300))
			: vscode.l10n.t("'{0}' failed: {1}", record.agent, toOneLine(why, 300));
	const inspect = vscode.l10n.t('Inspect run');
	const choice = await vscode.window.showErrorMessage(escapeLinks(message), ...(remedy ? [remedy.title] : []), inspect);
	if (choice === inspect) {
		await vscode.commands.executeCommand('agentWorkbench.run.inspect', record.key);
	} else if (remedy && choice === remedy.title) {
		await vscode.commands.executeCommand(remedy.command, ...(remedy.arguments ?? []));
	}
}
