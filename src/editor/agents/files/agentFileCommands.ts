import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers, CommandId } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import type { AgentCheck, AgentSummary } from '#contract/agents.ts';
import { selectTrigger } from '#runs/request/agentTrigger.ts';
import type { FilledRequest } from '#runs/request/secrets.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { publishedScheme } from '../../platform/names.ts';
import { requireTrust } from '../../platform/trust.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { FileTargets } from '../../runs/files/fileTargets.ts';
import { getArgumentUri } from '../../runs/files/runFileChoice.ts';
import type { RunFileService } from '../../runs/files/runFileService.ts';
import type { RunOrigin } from '../../runs/following/runControl.ts';
import type { RunPresenter } from '../../runs/following/runPresenter.ts';
import type { StoredRequests } from '../../runs/following/storedRequests.ts';
import type { AgentFiles } from './agentFiles.ts';
import type { StoredAgentSecrets } from './agentSecrets.ts';
import { formatWarnings, getWarnings } from './agentWarnings.ts';
import { chooseDraftInputs, type DraftInputs, type LastInputs } from './draftInputs.ts';
import { isAgentFile, isNewAgentFile } from './isAgentFile.ts';

interface AgentFileCommandsParts {
	readonly agentFiles: AgentFiles;
	readonly runFiles: RunFileService;
	readonly presenter: RunPresenter;
	readonly secrets: StoredAgentSecrets;
	readonly targets: FileTargets;
	readonly runs: Runs;
	readonly requests: StoredRequests;
}

/** Commands on agent files of the built-in gateway. Their argument is the file's URI, and defaults to the file in the active editor. */
export class AgentFileCommands {
	readonly #parts: AgentFileCommandsParts;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.agentFile.runDraft': argument => this.#runDraft(argument),
		'agentWorkbench.agentFile.publish': argument => this.#publishAgent(argument),
		'agentWorkbench.agentFile.showChanges': argument => this.#showChanges(argument),
		'agentWorkbench.agentFile.setSecrets': argument => this.#changeSecrets(argument),
	};

	constructor(parts: AgentFileCommandsParts) {
		this.#parts = parts;
	}

	/** Describes the agent in a file, including unsaved changes. Rejects with the first error if the file isn't valid. */
	async describeAgent(uri: vscode.Uri): Promise<AgentSummary> {
		const document = await vscode.workspace.openTextDocument(uri);
		return this.#createSummary(document, await this.#parts.agentFiles.checkText(document));
	}

	/** Runs the current text of a draft's agent file again with the inputs of the earlier run. */
	rerunDraft({ key, agentFile, file }: RunRecord, { request, secrets }: FilledRequest): Promise<RunRecord> {
		return this.runDraftWithInputs(vscode.Uri.parse(agentFile ?? ''), { request, secrets, file, repeats: key });
	}

	/** Runs the current text of an agent file with the given inputs. Calls `began` with the key of the new run. */
	async runDraftWithInputs(uri: vscode.Uri, inputs: DraftInputs, began?: (key: string) => void): Promise<RunRecord> {
		const document = await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch((cause: unknown) => {
			const message = vscode.l10n.t("Couldn't open '{0}' to run its draft.", path.posix.basename(uri.path));
			throw new Problem('no-agent-file', message, undefined, { cause });
		});
		const agent = this.#createSummary(document, await this.#parts.agentFiles.checkText(document));
		return this.#startDraft(document, { ...inputs, request: { ...inputs.request, model: agent.name } }, began);
	}

	async #runDraft(argument: unknown): Promise<RunRecord | undefined> {
		requireTrust();
		const document = await openAgentDocument(argument);
		const inputs = await this.askForInputs(document);
		return inputs && this.#startDraft(document, inputs);
	}

	/**
	 * Asks for the inputs of a draft. Resolves to `undefined` if the user cancels or chooses the form. Rejects if the file isn't a valid
	 * agent.
	 */
	async askForInputs(document: vscode.TextDocument): Promise<DraftInputs | undefined> {
		const { agentFiles, runFiles } = this.#parts;
		const described = this.#createSummary(document, await agentFiles.checkText(document));
		const picked = await this.#parts.targets.chooseTrigger(document.uri.toString(), described.triggers ?? []);
		const agent = selectTrigger(described, picked);
		const last = await this.#findLastInputs(document.uri, picked);
		const openInputForm = async () => {
			await vscode.commands.executeCommand('agentWorkbench.agent.runForm' satisfies CommandId, document.uri);
		};
		const chosen = await chooseDraftInputs(agent, agentFiles.getConnection(), runFiles, last, openInputForm);
		if (!chosen) {
			return undefined;
		}
		// the trigger of a run file takes precedence
		const trigger = chosen.request.trigger ?? picked;
		const request = { ...chosen.request, model: agent.name, ...(trigger === undefined ? {} : { trigger }) };
		return { ...chosen, request };
	}

	/** Returns the inputs of a file's last draft run with this trigger, if they are still stored. */
	async #findLastInputs(uri: vscode.Uri, trigger: string | undefined): Promise<LastInputs | undefined> {
		const { runs, requests } = this.#parts;
		const record = runs.list().find(({ draft, agentFile }) => draft && agentFile === uri.toString());
		const request = record && (await requests.findRequest(record));
		return request && request.trigger === trigger ? { record, request, refill: () => requests.refillRequest(record) } : undefined;
	}

	#startDraft(
		document: vscode.TextDocument,
		{ request, secrets, file, repeats }: DraftInputs,
		began?: (key: string) => void,
	): Promise<RunRecord> {
		const { agentFiles, presenter } = this.#parts;
		const source = document.getText();
		const draft = {
			agentFile: document.uri.toString(),
			stream: (service, sent, options) => service.streamDraft({ ...sent, source }, options),
		} satisfies RunOrigin['draft'];
		const origin = { ...(file === undefined ? {} : { file }), ...(repeats === undefined ? {} : { repeats }), secrets, draft };
		return presenter.run(agentFiles.getConnection(), request, origin, began);
	}

	async #publishAgent(argument: unknown): Promise<AgentSummary | undefined> {
		requireTrust();
		const document = await openAgentDocument(argument);
		const { agentFiles } = this.#parts;
		const check = await agentFiles.checkText(document);
		this.#createSummary(document, check);
		const before = await agentFiles.readPublished(document.uri);
		if (before === document.getText()) {
			void vscode.window.showInformationMessage(
				escapeLinks(vscode.l10n.t("'{0}' hasn't changed since it was published.", agentFiles.getAgentName(document.uri))),
			);
			return undefined;
		}
		const publish = vscode.l10n.t('Publish');
		const compare = vscode.l10n.t('Show changes');
		const name = agentFiles.getAgentName(document.uri);
		const { added, removed } = countChangedLines(before, document.getText());
		const question = before
			? vscode.l10n.t("Publish '{0}'? Lines changed since the published version: +{1} −{2}.", name, added, removed)
			: vscode.l10n.t("Publish '{0}' for the first time?", name);
		const warnings = formatWarnings(document.uri, getWarnings(check));
		const effect = vscode.l10n.t('Saves the file. All runs except drafts use this version until you publish again.');
		const show = warnings === '' ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
		const detail = [effect, warnings].filter(Boolean).join('\n\n');
		const choice = await show(question, { modal: true, detail }, publish, ...(before ? [compare] : []));
		if (choice === compare) {
			await this.#showChanges(document.uri);
		}
		if (choice !== publish) {
			return undefined;
		}
		// the gateway publishes the saved file
		if (document.isDirty && !(await document.save())) {
			return undefined;
		}
		const agent = await agentFiles.publishFile(document.uri);
		await this.#parts.secrets.prepareSecrets(agentFiles.getConnection(), agent.name, document.uri);
		vscode.window.setStatusBarMessage(vscode.l10n.t("Published '{0}'.", agent.name), 5000);
		return agent;
	}

	async #changeSecrets(argument: unknown): Promise<void> {
		const { uri } = await openAgentDocument(argument);
		const { agentFiles, secrets } = this.#parts;
		await secrets.changeSecret(agentFiles.getConnection(), agentFiles.getAgentName(uri), uri);
	}

	async #showChanges(argument: unknown): Promise<void> {
		const { uri } = await openAgentDocument(argument);
		const published = uri.with({ scheme: publishedScheme });
		const title = vscode.l10n.t('{0} (Published ↔ Current)', path.posix.basename(uri.path));
		await vscode.commands.executeCommand('vscode.diff', published, uri, title);
	}

	#createSummary(document: vscode.TextDocument, { variables, triggers, mode, faults }: AgentCheck): AgentSummary {
		const wrong = faults.find(({ severity }) => severity === 'error');
		const name = this.#parts.agentFiles.getAgentName(document.uri);
		if (wrong) {
			const place = `${path.posix.basename(document.uri.path)}:${wrong.line}`;
			throw new Problem('wrong-agent-file', `${place}: ${wrong.path ? `${wrong.path}: ${wrong.message}` : wrong.message}`, {
				title: vscode.l10n.t('Show problems'),
				command: 'workbench.actions.view.problems',
			});
		}
		const unknown = { description: '', workflow_id: null, error: null, updated_at: 0 };
		return { ...unknown, name, mode, variables, ...(triggers && { triggers }), published: false, draft: true, file: document.uri.fsPath };
	}
}

/**
 * Returns the agent file that a command applies to: its argument (a URI or a tree node), or else the document in the active editor.
 * @param orNew accepts an empty file in a folder of agents too
 */
export async function openAgentDocument(argument: unknown, orNew = false): Promise<vscode.TextDocument> {
	const uri = getArgumentUri(argument);
	const document = uri ? await vscode.workspace.openTextDocument(uri) : vscode.window.activeTextEditor?.document;
	if (!document || !(isAgentFile(document) || (orNew && isNewAgentFile(document)))) {
		throw new Problem('no-agent-file', vscode.l10n.t('Open an agent file (.yml) first.'));
	}
	return document;
}

/** Counts added and removed lines. */
function countChangedLines(before: string, after: string): { readonly added: number; readonly removed: number } {
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
	return { added, removed };
}
