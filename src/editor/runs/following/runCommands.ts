import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import { shortenId } from '#base/text/shortId.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import type { RunLeftovers } from '#runs/following/runLeftovers.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import { isRunOver } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { toCurlCommand } from '../files/curl.ts';
import { saveAsRunFile } from '../files/newRunFile.ts';
import type { RunRecords } from '../history/runRecords.ts';
import type { RunsChannel } from '../output/runsChannel.ts';
import type { AgentFilesOfRuns } from './agentFilesOfRuns.ts';
import { saveAudio } from './runAudio.ts';
import { chooseRun, getNoRunsMessage, getSelectedPair, getServiceRun, getTargetKeys } from './runChoice.ts';
import type { RunControl } from './runControl.ts';
import { getComparisonUri, getOutputsUri, getRecordUri, type RunDocumentProvider } from './runDocumentProvider.ts';
import type { RunPresenter } from './runPresenter.ts';
import type { RunServices } from './runServices.ts';
import { createRerunRequest } from './serviceRerun.ts';
import { type ServiceRuns, toAskedRun, toRunRecord } from './serviceRuns.ts';
import type { StoredRequests } from './storedRequests.ts';

interface RunCommandsParts {
	readonly connections: Connections;
	readonly services: RunServices;
	readonly control: RunControl;
	readonly presenter: RunPresenter;
	readonly records: RunRecords;
	readonly journals: EventJournals;
	readonly leftovers: RunLeftovers;
	readonly documents: RunDocumentProvider;
	readonly serviceRuns: ServiceRuns;
	readonly requests: StoredRequests;
	readonly channel: RunsChannel;
	/** Folder for audio files of runs. */
	readonly folder: string;
	readonly agents: () => Promise<Pick<AgentFilesOfRuns, 'runDraftAgain'>>;
}

/**
 * Implements the commands for runs. Each accepts a run's key or a tree node of a run, and otherwise asks the user. Some also accept runs of
 * services.
 */
export class RunCommands {
	readonly #parts: RunCommandsParts;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.run.stop': (argument, selected) => this.#stopRuns(argument, selected),
		'agentWorkbench.run.open': argument => this.#runOnRecord(argument, record => showDocument(getRecordUri(record))),
		'agentWorkbench.run.openOutputs': argument => this.#runOnRecord(argument, record => showDocument(getOutputsUri(record))),
		'agentWorkbench.run.openAudio': argument => this.#runOnRecord(argument, record => this.#openAudio(record)),
		'agentWorkbench.run.saveOutputs': argument => this.#runOnRecord(argument, record => this.#saveOutputs(record)),
		'agentWorkbench.run.saveAsRunFile': argument =>
			this.#runOnAnyRun(argument, async ({ record, detail }) =>
				detail
					? saveAsRunFile(createRerunRequest(detail, record.agent, this.#getUser(record)))
					: saveAsRunFile(await this.#parts.requests.getRequest(record), await this.#parts.requests.getSecretPlaces(record)),
			),
		'agentWorkbench.run.copyAsCurl': argument => this.#runOnRecord(argument, record => this.#copyAsCurl(record)),
		'agentWorkbench.run.compare': (argument, selected) =>
			this.#runOnAnyRun(argument, ({ record }) => this.#compareRuns(record, getSelectedPair(argument, selected))),
		'agentWorkbench.run.runAgain': argument => this.#runOnAnyRun(argument, run => this.#runAgain(run)),
		'agentWorkbench.run.copyId': argument => this.#runOnRecord(argument, ({ runId, key }) => vscode.env.clipboard.writeText(runId ?? key)),
		'agentWorkbench.run.remove': (argument, selected) => this.#removeRuns(argument, selected),
		'agentWorkbench.run.clearHistory': () => this.#clearHistory(),
		'agentWorkbench.run.showOutput': () => this.#parts.channel.showChannel(),
	};

	constructor(parts: RunCommandsParts) {
		this.#parts = parts;
	}

	async #stopRuns(argument: unknown, selected: unknown): Promise<void> {
		const { records, control } = this.#parts;
		const keys = getTargetKeys(argument, selected);
		const chosen =
			keys.length > 1
				? keys.map(key => records.get(key)).filter(record => record !== undefined && !isRunOver(record))
				: [await chooseRun(argument, records, run => !isRunOver(run), vscode.l10n.t('No active runs.'))];
		await Promise.all(chosen.map(record => record && !control.stop(record.key) && control.stopUnfollowedRun(record)));
	}

	/** Removes finished runs from the history. */
	async #removeRuns(argument: unknown, selected: unknown): Promise<void> {
		const { records } = this.#parts;
		const chosen = await chooseRun(argument, records, isRunOver, vscode.l10n.t('No finished runs yet.'));
		const targets = chosen ? [...new Set([chosen.key, ...getTargetKeys(argument, selected)])] : [];
		const keys = targets.filter(key => records.isOwnRun(key) && isRunOver(records.get(key)!));
		if (keys.length === 0) {
			if (chosen) {
				throw new Problem(
					'run-goes-on',
					vscode.l10n.t("Can't remove the run of '{0}' because it's still active or belongs to another window.", chosen.agent),
				);
			}
			return;
		}
		const remove = vscode.l10n.t('Remove');
		const question =
			keys.length === 1
				? vscode.l10n.t("Remove this run of '{0}' from the history?", records.get(keys[0]!)?.agent ?? '')
				: vscode.l10n.t('Remove {0} runs from the history?', keys.length);
		const detail = vscode.l10n.t("Logs on the service won't be deleted.");
		if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove) {
			await this.#deleteFiles(records.removeRuns(keys));
		}
	}

	async #openAudio(record: RunRecord): Promise<void> {
		const file = await saveAudio(this.#parts.journals, record.key, this.#parts.folder);
		if (!file) {
			throw new Problem('no-audio', vscode.l10n.t("The run of '{0}' has no audio.", record.agent));
		}
		await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
	}

	async #saveOutputs(record: RunRecord): Promise<void> {
		const outputs = (await this.#parts.documents.readOutputs(record)) ?? {};
		const [only] = Object.keys(outputs).length === 1 ? Object.values(outputs) : [];
		const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
		const name = `${path.posix.basename(record.agent)}-outputs.${typeof only === 'string' ? 'md' : 'json'}`;
		const uri = await vscode.window.showSaveDialog({
			title: vscode.l10n.t('Save outputs'),
			...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
		});
		if (uri) {
			const text = typeof only === 'string' && !uri.path.endsWith('.json') ? only : `${JSON.stringify(outputs, undefined, '\t')}\n`;
			await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
		}
	}

	async #copyAsCurl(record: RunRecord): Promise<void> {
		if (record.deploymentDraft) {
			const message = vscode.l10n.t("Can't copy this run as cURL because drafts in Dify run with your sign-in, not with an API key.");
			throw new Problem('no-curl', message);
		}
		const client = await this.#parts.connections.getClient(record.connectionId);
		await vscode.env.clipboard.writeText(await toCurlCommand(client, await this.#parts.requests.getRequest(record)));
	}

	async #runAgain({ record, detail }: AnyRun): Promise<RunRecord> {
		const connection = this.#parts.connections.get(record.connectionId);
		if (!connection) {
			throw new Problem('unknown-connection', vscode.l10n.t('The connection of this run no longer exists.'));
		}
		if (detail) {
			const { deploymentDraft: draft } = record;
			const request = createRerunRequest(detail, record.agent, connection.user, draft !== undefined);
			return this.#parts.presenter.run(connection, request, { repeats: record.key, ...(draft ? { deployment: { draft } } : {}) });
		}
		const filled = await this.#parts.requests.refillRequest(record);
		if (record.draft) {
			return (await this.#parts.agents()).runDraftAgain(record, filled);
		}
		const { request, secrets } = filled;
		const { deploymentDraft: draft, agentFile } = record;
		return this.#parts.presenter.run(connection, request, {
			...(record.file ? { file: record.file } : {}),
			...(draft ? { deployment: { draft, agentFile } } : {}),
			repeats: record.key,
			secrets,
		});
	}

	#getUser({ connectionId }: RunRecord): string {
		return this.#parts.connections.get(connectionId)?.user ?? '';
	}

	/** Shows the differences from the other run of the pair, or from a run that the user picks, in VS Code's diff editor. */
	async #compareRuns(record: RunRecord, pair: readonly string[]): Promise<void> {
		const none = vscode.l10n.t("No other run of '{0}' to compare with.", record.agent);
		const isOtherRun = ({ key, agent }: RunRecord) => key !== record.key && agent === record.agent;
		// a run can have both a service key and a local key, so compare the runs rather than the keys
		const found = await Promise.all(pair.map(key => this.#findRun(key)));
		const other =
			found.find(run => run && run.record.key !== record.key)?.record ??
			(await chooseRun(undefined, this.#parts.records, isOtherRun, none));
		if (other) {
			const [before, after] = other.startedAt < record.startedAt ? [other, record] : [record, other];
			const ids = [before, after].map(({ runId, key }) => shortenId(runId ?? key));
			const title = vscode.l10n.t({
				message: '{0} ({1} ↔ {2})',
				args: [record.agent, ...ids],
				comment: ['{0} is the name of an agent, {1} and {2} are IDs of runs'],
			});
			await vscode.commands.executeCommand('vscode.diff', getComparisonUri(before, after), getComparisonUri(after, before), title);
		}
	}

	async #clearHistory(): Promise<void> {
		const clear = vscode.l10n.t('Clear');
		const question = vscode.l10n.t("Clear the run history of this workspace? Logs on the services won't be deleted.");
		if ((await vscode.window.showWarningMessage(question, { modal: true }, clear)) === clear) {
			await this.#deleteFiles(this.#parts.records.clear());
		}
	}

	/** Deletes the files of removed runs, and of runs that left the history earlier, unless some histories can't be read now. */
	async #deleteFiles(keys: readonly string[]): Promise<void> {
		const { records, journals, leftovers } = this.#parts;
		await journals.removeJournals(keys);
		const kept = records.listStoredKeys();
		if (kept) {
			await leftovers.removeOtherFiles(kept);
		}
	}

	async #runOnAnyRun<T>(argument: unknown, act: (run: AnyRun) => T): Promise<Awaited<T> | undefined> {
		const run = await this.#findRun(argument);
		return run && (await act(run));
	}

	/** Finds the run of a command's argument, of this editor or of a service. Prefers the local record if this editor started the run. */
	async #findRun(argument: unknown): Promise<AnyRun | undefined> {
		const { records, serviceRuns, services } = this.#parts;
		const of = getServiceRun(argument);
		const own = of && records.list({ connectionId: of.connectionId }).find(({ runId }) => runId === of.runId);
		if (!of || own) {
			const record = own ?? (await chooseRun(argument, records, () => true, getNoRunsMessage()));
			return record && { record };
		}
		try {
			const detail = await serviceRuns.fetchDetail(of);
			return { record: toRunRecord(of, detail), detail };
		} catch (error) {
			throw services.toProblem(toAskedRun(of), error);
		}
	}

	async #runOnRecord<T>(argument: unknown, act: (record: RunRecord) => T): Promise<Awaited<T> | undefined> {
		const record = await chooseRun(argument, this.#parts.records, () => true, getNoRunsMessage());
		return record && (await act(record));
	}
}

/** A run of this editor, or a run of a service if it has a `detail`. */
interface AnyRun {
	readonly record: RunRecord;
	readonly detail?: WorkflowRunDetail;
}

async function showDocument(uri: vscode.Uri): Promise<void> {
	const document = await vscode.workspace.openTextDocument(uri);
	await vscode.languages.setTextDocumentLanguage(document, 'json');
	await vscode.window.showTextDocument(document, { preview: true });
}
