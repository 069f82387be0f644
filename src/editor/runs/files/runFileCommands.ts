import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import type { TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { ResponseMode } from '#contract/workflows.ts';
import { agentNamed } from '#runs/request/agentCheck.ts';
import { type FilledRequest, masked } from '#runs/request/secrets.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { AgentFilesOfRuns } from '../following/agentFilesOfRuns.ts';
import type { RunPresenter } from '../following/runPresenter.ts';
import { curlOf } from './curl.ts';
import type { RunFileDiagnostics } from './editing/runFileDiagnostics.ts';
import type { FileTargets } from './fileTargets.ts';
import { createRunFile, pickAgent } from './newRunFile.ts';
import { chooseRunFile, uriOf } from './runFileChoice.ts';
import type { RunFileService } from './runFileService.ts';

interface RunFileCommandsParts {
	readonly connections: Connections;
	readonly files: RunFileService;
	readonly targets: FileTargets;
	readonly diagnostics: RunFileDiagnostics;
	readonly presenter: RunPresenter;
	readonly agents: () => Promise<Pick<AgentFilesOfRuns, 'describe'>>;
}

/** Commands on run files. Those that run return the run's last {@link RunRecord} once it has ended, for whoever executes them by code. */
export class RunFileCommands {
	readonly #parts: RunFileCommandsParts;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.workflow.runFile': argument => this.#run(argument, undefined),
		'agentWorkbench.workflow.runFileBlocking': argument => this.#run(argument, 'blocking'),
		'agentWorkbench.runFile.create': argument => this.#create(argument),
		'agentWorkbench.runFile.chooseConnection': argument => this.#chooseConnection(argument),
		'agentWorkbench.runFile.copyAsCurl': argument => this.#copyAsCurl(argument),
	};

	constructor(parts: RunFileCommandsParts) {
		this.#parts = parts;
	}

	async #run(argument: unknown, mode: ResponseMode | undefined): Promise<RunRecord | undefined> {
		const document = await chooseRunFile(argument);
		if (!document) {
			return undefined;
		}
		const { files, presenter } = this.#parts;
		const { request, secrets } = await this.request(document, mode);
		const connection = files.connection(document.uri);
		const before = connection.kind === 'built-in' ? agentNamed((await files.agents(connection)) ?? [], request.model) : undefined;
		const record = await presenter.run(connection, request, { file: document.uri.toString(), secrets });
		const isFirst = before?.published === false && agentNamed((await files.agents(connection)) ?? [], request.model)?.published === true;
		if (isFirst) {
			vscode.window.setStatusBarMessage(vscode.l10n.t("Published '{0}' with its first run.", before.name), 5000);
		}
		return record;
	}

	/**
	 * The request of a run file, as it is sent; asks for what it leaves open. Rejects with the first fault, and shows all of them. `drafts` take the
	 * place of the agents that the service lists.
	 */
	async request(document: vscode.TextDocument, mode: ResponseMode | undefined, drafts?: readonly AgentSummary[]): Promise<FilledRequest> {
		const { request, secrets } = await this.#read(document, mode, drafts);
		const trigger = request.trigger ?? (await this.#trigger(document.uri, request.model));
		return { request: trigger === undefined ? request : { ...request, trigger }, secrets };
	}

	/** What the run begins with, where the agent has several. */
	async #trigger(file: vscode.Uri, model: string): Promise<string | undefined> {
		const { files, targets } = this.#parts;
		const connection = files.connection(file);
		const triggers = agentNamed((await files.agents(connection)) ?? [], model)?.triggers ?? [];
		return targets.trigger(`${connection.id} ${model}`, triggers);
	}

	async #copyAsCurl(argument: unknown): Promise<void> {
		const document = await chooseRunFile(argument);
		if (document) {
			const { request, secrets } = await this.#read(document, undefined);
			const client = await this.#parts.connections.client(this.#parts.files.connection(document.uri).id);
			await vscode.env.clipboard.writeText(await curlOf(client, masked(request, secrets)));
			vscode.window.setStatusBarMessage(vscode.l10n.t('Copied. The key is the shell variable AGENT_WORKBENCH_KEY.'), 5000);
		}
	}

	async #create(argument: unknown): Promise<vscode.Uri | undefined> {
		const uri = uriOf(argument);
		const agent =
			agentOf(argument) ??
			(uri ? await (await this.#parts.agents()).describe(uri) : await pickAgent(this.#parts.connections, vscode.l10n.t('New run file')));
		return agent && createRunFile(agent);
	}

	async #chooseConnection(argument: unknown): Promise<void> {
		const document = await chooseRunFile(argument);
		if (document) {
			await this.#parts.targets.choose(document.uri);
		}
	}

	async #read(document: vscode.TextDocument, mode: ResponseMode | undefined, drafts?: readonly AgentSummary[]): Promise<FilledRequest> {
		const { request, secrets, faults } = await this.#parts.files.read(document, mode, drafts);
		this.#parts.diagnostics.show(document, faults);
		if (!request) {
			throw faultsProblem(document, faults);
		}
		return { request, secrets };
	}
}

/** The agent that a caller hands over as it is listed. */
function agentOf(argument: unknown): AgentSummary | undefined {
	return typeof argument === 'object' && argument !== null && 'name' in argument && 'variables' in argument
		? (argument as AgentSummary)
		: undefined;
}

/** The first fault, with the file's name and how many more there are; Problems has all of them. */
function faultsProblem(document: vscode.TextDocument, faults: readonly TextFault[]): Problem {
	const errors = faults.filter(({ severity }) => severity === 'error');
	const file = path.posix.basename(document.uri.path);
	const first = errors[0]?.message ?? '';
	const more = errors.length - 1;
	const sentence =
		more > 0
			? vscode.l10n.t('{0}: {1} ({2} more in Problems). Nothing was sent.', file, first, more)
			: vscode.l10n.t('{0}: {1}. Nothing was sent.', file, first);
	return new Problem('wrong-run-file', sentence, { title: vscode.l10n.t('Show Problems'), command: 'workbench.actions.view.problems' });
}
