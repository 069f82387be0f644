import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '../common/problems.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { WorkflowRunRequest } from '../protocol/workflows.ts';
import { curlOf } from './curl.ts';
import type { CommandHandlers } from './names.ts';
import { saveAsRunFile } from './newRunFile.ts';
import { audioOf } from './runAudio.ts';
import { chooseRun } from './runChoice.ts';
import { inputsUri, nodeTimesUri, outputsUri, type RunDocuments, recordUri } from './runDocuments.ts';
import type { RunJournal } from './runJournal.ts';
import { shortId } from './runLines.ts';
import type { Runner } from './runner.ts';
import type { RunStarter } from './runStarter.ts';
import { isLive, type RunStore } from './runStore.ts';
import type { RunsChannel } from './runsChannel.ts';
import type { RunRecord } from './runTypes.ts';

export interface RunCommandsParts {
	readonly connections: Connections;
	readonly runner: Runner;
	readonly starter: RunStarter;
	readonly store: RunStore;
	readonly journal: RunJournal;
	readonly documents: RunDocuments;
	readonly channel: RunsChannel;
	/** Folder for files that are made of runs. */
	readonly folder: string;
}

/** Commands on runs. Each takes a run's key, or a tree node that has a run, or asks. */
export class RunCommands {
	readonly #parts: RunCommandsParts;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.run.stop': argument => this.#stop(argument),
		'agentWorkbench.run.open': argument => this.#with(argument, record => show(recordUri(record))),
		'agentWorkbench.run.openOutputs': argument => this.#with(argument, record => show(outputsUri(record))),
		'agentWorkbench.run.openAudio': argument => this.#with(argument, record => this.#openAudio(record)),
		'agentWorkbench.run.saveOutputs': argument => this.#with(argument, record => this.#saveOutputs(record)),
		'agentWorkbench.run.saveAsRunFile': argument => this.#with(argument, async record => saveAsRunFile(await this.#request(record))),
		'agentWorkbench.run.copyAsCurl': argument => this.#with(argument, record => this.#copyAsCurl(record)),
		'agentWorkbench.run.compare': argument => this.#with(argument, record => this.#compare(record)),
		'agentWorkbench.run.runAgain': argument => this.#with(argument, record => this.#runAgain(record)),
		'agentWorkbench.run.clearHistory': () => this.#clear(),
		'agentWorkbench.run.showOutput': () => this.#parts.channel.show(),
	};

	constructor(parts: RunCommandsParts) {
		this.#parts = parts;
	}

	async #stop(argument: unknown): Promise<void> {
		const { store, runner } = this.#parts;
		const record = await chooseRun(argument, store, ({ status }) => isLive(status), vscode.l10n.t('No run is going on.'));
		if (record) {
			runner.stop(record.key);
		}
	}

	async #openAudio(record: RunRecord): Promise<void> {
		const file = await audioOf(this.#parts.journal, record.key, this.#parts.folder);
		if (!file) {
			throw new Problem('no-audio', vscode.l10n.t('The run of {0} sent no audio.', record.agent));
		}
		await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
	}

	async #saveOutputs(record: RunRecord): Promise<void> {
		const outputs = (await this.#parts.documents.outputs(record)) ?? {};
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
		const client = await this.#parts.connections.client(record.connectionId);
		await vscode.env.clipboard.writeText(await curlOf(client, await this.#request(record)));
	}

	async #runAgain(record: RunRecord): Promise<RunRecord> {
		const connection = this.#parts.connections.get(record.connectionId);
		if (!connection) {
			throw new Problem('unknown-connection', vscode.l10n.t('The connection of this run is gone.'));
		}
		return this.#parts.starter.run(connection, await this.#request(record), record.file ? { file: record.file } : {});
	}

	/** Shows the differences to another run: inputs, outputs and the times of nodes, in one editor. */
	async #compare(record: RunRecord): Promise<void> {
		const { store } = this.#parts;
		const none = vscode.l10n.t('There is no other run of {0} to compare with.', record.agent);
		const other = await chooseRun(undefined, store, ({ key, agent }) => key !== record.key && agent === record.agent, none);
		if (other) {
			const [before, after] = other.startedAt < record.startedAt ? [other, record] : [record, other];
			const ids = [before, after].map(({ runId, key }) => shortId(runId ?? key));
			const title = vscode.l10n.t('{0}: {1} and {2}', record.agent, ...ids);
			const parts = [inputsUri, outputsUri, nodeTimesUri].map(uriOf => [uriOf(after), uriOf(before), uriOf(after)]);
			await vscode.commands.executeCommand('vscode.changes', title, parts);
		}
	}

	async #clear(): Promise<void> {
		const { store, journal } = this.#parts;
		const clear = vscode.l10n.t('Clear');
		const question = vscode.l10n.t('Clear the history of runs of this workspace? What the services keep of them stays.');
		if ((await vscode.window.showWarningMessage(question, { modal: true }, clear)) === clear) {
			await journal.remove(store.clear());
		}
	}

	async #request(record: RunRecord): Promise<WorkflowRunRequest> {
		const request = await this.#parts.documents.request(record);
		if (!request) {
			throw new Problem('no-request', vscode.l10n.t('What was sent for this run of {0} is no longer kept.', record.agent));
		}
		return request as WorkflowRunRequest;
	}

	async #with<T>(argument: unknown, act: (record: RunRecord) => T): Promise<Awaited<T> | undefined> {
		const record = await chooseRun(argument, this.#parts.store, () => true, vscode.l10n.t('No runs yet. Open a run file and press Run.'));
		return record && (await act(record));
	}
}

async function show(uri: vscode.Uri): Promise<void> {
	const document = await vscode.workspace.openTextDocument(uri);
	await vscode.languages.setTextDocumentLanguage(document, 'json');
	await vscode.window.showTextDocument(document, { preview: true });
}
