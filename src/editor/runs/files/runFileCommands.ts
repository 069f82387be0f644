import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import type { TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { ResponseMode } from '#contract/workflows.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import { type FilledRequest, maskRunSecrets } from '#runs/request/secrets.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { AgentFilesOfRuns } from '../following/agentFilesOfRuns.ts';
import type { RunPresenter } from '../following/runPresenter.ts';
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
		'agentWorkbench.runFile.create': argument => this.#createFile(argument),
		'agentWorkbench.runFile.chooseConnection': argument => this.#chooseConnection(argument),
		'agentWorkbench.runFile.copyAsCurl': argument => this.#copyAsCurl(argument),
	};

	constructor(parts: RunFileCommandsParts) {
		this.#parts = parts;
	}

	async #runFile(argument: unknown, mode: ResponseMode | undefined): Promise<RunRecord | undefined> {
		const document = await chooseRunFile(argument);
		if (!document) {
			return undefined;
		}
		const { files, presenter } = this.#parts;
		const { request, secrets } = await this.createRequest(document, mode);
		const connection = files.getConnection(document.uri);
		const before = connection.kind === 'built-in' ? findAgent((await files.loadAgents(connection)) ?? [], request.model) : undefined;
		const record = await presenter.run(connection, request, { file: document.uri.toString(), secrets });
		const isFirst = before?.published === false && findAgent((await files.loadAgents(connection)) ?? [], request.model)?.published === true;
		if (isFirst) {
			vscode.window.setStatusBarMessage(vscode.l10n.t("Published '{0}' with its first run.", before.name), 5000);
		}
		return record;
	}

	/**
	 * Creates the request of a run file, and asks for values that the file doesn't contain. Shows all problems and rejects with the first
	 * one. `drafts` are used instead of the agents that the service lists.
	 */
	async createRequest(
		document: vscode.TextDocument,
		mode: ResponseMode | undefined,
		drafts?: readonly AgentSummary[],
	): Promise<FilledRequest> {
		const { request, secrets } = await this.#readRequest(document, mode, drafts);
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
	): Promise<FilledRequest> {
		const { request, secrets, faults } = await this.#parts.files.readRunFile(document, mode, drafts);
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
