import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import type { TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { AskedRecordingMode } from '#contract/recordings/recordings.ts';
import type { ResponseMode } from '#contract/workflows.ts';
import type { FileRecording } from '#runs/recordings/fileRecording.ts';
import { readRecordingSettings } from '#runs/recordings/recordedFile.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import { type FilledRequest, maskRunSecrets } from '#runs/request/secrets.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import type { AgentFilesOfRuns } from '../following/agentFilesOfRuns.ts';
import type { RunPresenter } from '../following/runPresenter.ts';
import type { FileRecordings } from '../recordings/fileRecordings.ts';
import { toCurlCommand } from './curl.ts';
import type { RunFileDiagnostics } from './editing/runFileDiagnostics.ts';
import type { FileTargets } from './fileTargets.ts';
import { createRunFile, pickAgent } from './newRunFile.ts';
import { chooseRunFile, getArgumentUri } from './runFileChoice.ts';
import type { RunFileService } from './runFileService.ts';

interface RunFileCommandsParts {
	readonly connections: Connections;
	readonly files: RunFileService;
	readonly targets: FileTargets;
	readonly diagnostics: RunFileDiagnostics;
	readonly presenter: RunPresenter;
	readonly recordings: FileRecordings;
	readonly agents: () => Promise<Pick<AgentFilesOfRuns, 'describe'>>;
}

/**
 * Implements the commands for run files. Those that start a run return its last {@link RunRecord} once it has ended, for callers in code.
 */
export class RunFileCommands {
	readonly #parts: RunFileCommandsParts;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.workflow.runFile': argument => this.#runFile(argument, undefined),
		'agentWorkbench.workflow.runFileBlocking': argument => this.#runFile(argument, 'blocking'),
		'agentWorkbench.runFile.record': (argument, mode) => this.#recordFile(argument, mode),
		'agentWorkbench.runFile.replay': argument => this.#runFile(argument, undefined, 'none'),
		'agentWorkbench.runFile.checkDrift': argument => this.#runFile(argument, undefined, 'drift'),
		'agentWorkbench.runFile.showRecording': argument => this.#showRecording(argument),
		'agentWorkbench.runFile.create': argument => this.#createFile(argument),
		'agentWorkbench.runFile.chooseConnection': argument => this.#chooseConnection(argument),
		'agentWorkbench.runFile.copyAsCurl': argument => this.#copyAsCurl(argument),
	};

	constructor(parts: RunFileCommandsParts) {
		this.#parts = parts;
	}

	async #recordFile(argument: unknown, given: unknown): Promise<RunRecord | undefined> {
		const document = await chooseRunFile(argument);
		const settings = document && readRecordingSettings(document.getText());
		const mode = document && (await this.#parts.recordings.chooseRecordMode(document.uri, settings, given));
		return mode && this.#runFile(document.uri, undefined, mode);
	}

	async #showRecording(argument: unknown): Promise<void> {
		const document = await chooseRunFile(argument);
		if (document) {
			await this.#parts.recordings.showRecording(document);
		}
	}

	/** @param recorded mode of the recording that a command asks for */
	async #runFile(argument: unknown, mode: ResponseMode | undefined, recorded?: AskedRecordingMode): Promise<RunRecord | undefined> {
		const document = await chooseRunFile(argument);
		if (!document) {
			return undefined;
		}
		const { files, recordings } = this.#parts;
		const { uri } = document;
		const connection = files.getConnection(uri);
		const recording = await recordings.openRecording({ uri, connection, settings: readRecordingSettings(document.getText()) }, recorded);
		return recordings.closeOnError(recording, () => this.#runDocument(document, mode, connection, recording));
	}

	async #runDocument(
		document: vscode.TextDocument,
		mode: ResponseMode | undefined,
		connection: Connection,
		recording: FileRecording | undefined,
	): Promise<RunRecord> {
		const { files, presenter } = this.#parts;
		const { request, secrets } = await this.createRequest(document, mode, undefined, recording?.mode === 'none');
		const before = connection.kind === 'built-in' ? findAgent((await files.loadAgents(connection)) ?? [], request.model) : undefined;
		const record = await presenter.run(connection, request, { file: document.uri.toString(), secrets, recording });
		const isFirst = before?.published === false && findAgent((await files.loadAgents(connection)) ?? [], request.model)?.published === true;
		if (isFirst) {
			vscode.window.setStatusBarMessage(vscode.l10n.t("Published '{0}' with its first run.", before.name), 5000);
		}
		return record;
	}

	/**
	 * Creates the request of a run file, and asks for values that the file doesn't contain. Shows all problems and rejects with the first
	 * one. `drafts` are used instead of the agents that the service lists. `isReplay`: nothing is called, so that secrets don't matter.
	 */
	async createRequest(
		document: vscode.TextDocument,
		mode: ResponseMode | undefined,
		drafts?: readonly AgentSummary[],
		isReplay = false,
	): Promise<FilledRequest> {
		const { request, secrets } = await this.#readRequest(document, mode, drafts, isReplay);
		const trigger = request.trigger ?? (await this.#chooseTrigger(document.uri, request.model));
		return { request: trigger === undefined ? request : { ...request, trigger }, secrets };
	}

	async #chooseTrigger(file: vscode.Uri, model: string): Promise<string | undefined> {
		const { files, targets } = this.#parts;
		const connection = files.getConnection(file);
		const triggers = findAgent((await files.loadAgents(connection)) ?? [], model)?.triggers ?? [];
		return targets.chooseTrigger(`${connection.id} ${model}`, triggers);
	}

	async #copyAsCurl(argument: unknown): Promise<void> {
		const document = await chooseRunFile(argument);
		if (document) {
			const { request, secrets } = await this.#readRequest(document, undefined);
			const client = await this.#parts.connections.getClient(this.#parts.files.getConnection(document.uri).id);
			await vscode.env.clipboard.writeText(await toCurlCommand(client, maskRunSecrets(request, secrets)));
			vscode.window.setStatusBarMessage(
				vscode.l10n.t('Copied the command. Set the shell variable AGENT_WORKBENCH_KEY to your API key before you run it.'),
				5000,
			);
		}
	}

	async #createFile(argument: unknown): Promise<vscode.Uri | undefined> {
		const uri = getArgumentUri(argument);
		const agent =
			getArgumentAgent(argument) ??
			(uri ? await (await this.#parts.agents()).describe(uri) : await pickAgent(this.#parts.connections, vscode.l10n.t('New run file')));
		return agent && createRunFile(agent);
	}

	async #chooseConnection(argument: unknown): Promise<void> {
		const document = await chooseRunFile(argument);
		if (document) {
			await this.#parts.targets.chooseConnection(document.uri);
		}
	}

	async #readRequest(
		document: vscode.TextDocument,
		mode: ResponseMode | undefined,
		drafts?: readonly AgentSummary[],
		isReplay = false,
	): Promise<FilledRequest> {
		const { request, secrets, faults } = await this.#parts.files.readRunFile(document, mode, drafts, isReplay);
		this.#parts.diagnostics.showFaults(document, faults);
		if (!request) {
			throw toProblem(document, faults);
		}
		return { request, secrets };
	}
}

/** Returns a command's argument if it is an agent from the list of a service. */
function getArgumentAgent(argument: unknown): AgentSummary | undefined {
	return typeof argument === 'object' && argument !== null && 'name' in argument && 'variables' in argument
		? (argument as AgentSummary)
		: undefined;
}

/** Creates an error with the first problem and the number of other problems. */
function toProblem(document: vscode.TextDocument, faults: readonly TextFault[]): Problem {
	const errors = faults.filter(({ severity }) => severity === 'error');
	const file = path.posix.basename(document.uri.path);
	const first = errors[0]?.message ?? '';
	const more = errors.length - 1;
	const message =
		more > 0
			? vscode.l10n.t("'{0}' wasn't sent: {1} ({2} more in Problems)", file, first, more)
			: vscode.l10n.t("'{0}' wasn't sent: {1}", file, first);
	return new Problem('wrong-run-file', message, { title: vscode.l10n.t('Show problems'), command: 'workbench.actions.view.problems' });
}
