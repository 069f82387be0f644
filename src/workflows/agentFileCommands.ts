import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '../common/problems.ts';
import type { AgentCheck, AgentSummary } from '../protocol/agents.ts';
import type { WorkflowRunRequest } from '../protocol/workflows.ts';
import type { AgentFiles } from './agentFiles.ts';
import { chooseDraftInputs } from './draftInputs.ts';
import { isAgentFile } from './isAgentFile.ts';
import type { CommandHandlers } from './names.ts';
import { publishedScheme } from './names.ts';
import { uriOf } from './runFileChoice.ts';
import type { RunFileService } from './runFileService.ts';
import type { RunStarter } from './runStarter.ts';
import type { RunRecord } from './runTypes.ts';

export interface AgentFileCommandsParts {
	readonly agentFiles: AgentFiles;
	readonly runFiles: RunFileService;
	readonly starter: RunStarter;
}

/** Commands on agent files, which are the built-in gateway's. Each takes a file's URI, else means the active editor's. */
export class AgentFileCommands {
	readonly #parts: AgentFileCommandsParts;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.agentFile.runDraft': argument => this.#runDraft(argument),
		'agentWorkbench.agentFile.publish': argument => this.#publish(argument),
		'agentWorkbench.agentFile.showChanges': argument => this.#showChanges(argument),
	};

	constructor(parts: AgentFileCommandsParts) {
		this.#parts = parts;
	}

	/** The agent that a text describes, saved or not; rejects with what is wrong where it describes none. */
	async describe(uri: vscode.Uri): Promise<AgentSummary> {
		const document = await vscode.workspace.openTextDocument(uri);
		return this.#summary(document, await this.#parts.agentFiles.check(document));
	}

	async #runDraft(argument: unknown): Promise<RunRecord | undefined> {
		const document = await agentDocument(argument);
		const { agentFiles, runFiles, starter } = this.#parts;
		const agent = this.#summary(document, await agentFiles.check(document));
		const connection = agentFiles.connection();
		const chosen = await chooseDraftInputs(agent, connection, runFiles);
		if (!chosen) {
			return undefined;
		}
		const source = document.getText();
		const request: WorkflowRunRequest = { ...chosen.request, model: agent.name };
		return starter.run(connection, request, {
			...(chosen.file ? { file: chosen.file.toString() } : {}),
			draft: {
				agentFile: document.uri.toString(),
				stream: (service, sent, options) => service.streamDraft({ ...sent, source }, options),
			},
		});
	}

	async #publish(argument: unknown): Promise<AgentSummary | undefined> {
		const document = await agentDocument(argument);
		const { agentFiles } = this.#parts;
		this.#summary(document, await agentFiles.check(document));
		const before = await agentFiles.published(document.uri);
		if (before === document.getText()) {
			void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” is published as it stands.', agentFiles.nameOf(document.uri)));
			return undefined;
		}
		const publish = vscode.l10n.t('Publish');
		const compare = vscode.l10n.t('Show Changes');
		const question = before
			? vscode.l10n.t(
					'Publish “{0}”? {1} since the published version.',
					agentFiles.nameOf(document.uri),
					changeText(before, document.getText()),
				)
			: vscode.l10n.t('Publish “{0}” for the first time?', agentFiles.nameOf(document.uri));
		const choice = await vscode.window.showWarningMessage(question, { modal: true }, publish, ...(before ? [compare] : []));
		if (choice === compare) {
			await this.#showChanges(document.uri);
		}
		if (choice !== publish) {
			return undefined;
		}
		// the gateway publishes what is on the disk
		if (document.isDirty && !(await document.save())) {
			return undefined;
		}
		const agent = await agentFiles.publish(document.uri);
		vscode.window.setStatusBarMessage(vscode.l10n.t('Published “{0}”.', agent.name), 5000);
		return agent;
	}

	async #showChanges(argument: unknown): Promise<void> {
		const { uri } = await agentDocument(argument);
		const published = uri.with({ scheme: publishedScheme });
		const title = vscode.l10n.t('{0} (published ↔ now)', path.posix.basename(uri.path));
		await vscode.commands.executeCommand('vscode.diff', published, uri, title);
	}

	#summary(document: vscode.TextDocument, { variables, mode, faults }: AgentCheck): AgentSummary {
		const wrong = faults.find(({ severity }) => severity === 'error');
		const name = this.#parts.agentFiles.nameOf(document.uri);
		if (wrong) {
			const place = `${path.posix.basename(document.uri.path)}:${wrong.line}`;
			throw new Problem(
				'wrong-agent-file',
				vscode.l10n.t('{0}: {1}', place, wrong.path ? `${wrong.path}: ${wrong.message}` : wrong.message),
				{
					title: vscode.l10n.t('Show Problems'),
					command: 'workbench.actions.view.problems',
				},
			);
		}
		const unknown = { description: '', workflow_id: null, error: null, updated_at: 0 };
		return { ...unknown, name, mode, variables, published: false, draft: true, file: document.uri.fsPath };
	}
}

async function agentDocument(argument: unknown): Promise<vscode.TextDocument> {
	const uri = uriOf(argument);
	const document = uri ? await vscode.workspace.openTextDocument(uri) : vscode.window.activeTextEditor?.document;
	if (!document || !isAgentFile(document)) {
		throw new Problem('no-agent-file', vscode.l10n.t('Open an agent file first: expected a YAML file in the workflow DSL.'));
	}
	return document;
}

/** How much two texts differ, in lines. */
function changeText(before: string, after: string): string {
	const counts = new Map<string, number>();
	for (const line of before.split('\n')) {
		counts.set(line, (counts.get(line) ?? 0) + 1);
	}
	let added = 0;
	for (const line of after.split('\n')) {
		const left = counts.get(line) ?? 0;
		added += left > 0 ? 0 : 1;
		counts.set(line, left - 1);
	}
	const removed = [...counts.values()].reduce((sum, left) => sum + Math.max(0, left), 0);
	return vscode.l10n.t('{0} lines added, {1} removed', added, removed);
}
