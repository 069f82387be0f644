import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';
import { ServiceClient } from '#client/client.ts';
import { AgentsCore } from '#editor/agents/agentsCore.ts';
import { type AssistantWork, createAssistantWork } from '#editor/assistant/tools/agentWork.ts';
import type { Connection, Connections } from '#editor/connections/connectionTypes.ts';
import { RunFileIndex } from '#editor/runs/files/runFileIndex.ts';
import type { DeploymentDrafts } from '#editor/runs/following/runServices.ts';
import { RunRecords } from '#editor/runs/history/runRecords.ts';
import { RunsCore } from '#editor/runs/runsCore.ts';
import { RunRecordFiles } from '#runs/history/runRecordFiles.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { FaultService } from '../services/faultService.ts';
import { getExtensionUnderTest } from './extensionUnderTest.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { MemoryState } from './memoryState.ts';

/** Records the output channel's text, with the time of each append. */
class RecordedChannel {
	readonly name = 'test';
	readonly appends: { at: number; text: string }[] = [];
	shows = 0;
	append(text: string): void {
		this.appends.push({ at: performance.now(), text });
	}
	get text(): string {
		return this.appends.map(({ text }) => text).join('');
	}
	show(): void {
		this.shows++;
	}
	dispose(): void {}
}

/** Runs and agent files of one window as the extension wires them, with a single connection to a fake service. */
export class WindowUnderTest {
	readonly service: FaultService;
	readonly channel = new RecordedChannel();
	readonly #memory = new MemoryState();
	readonly #log = vscode.window.createOutputChannel('Window under test', { log: true });
	readonly #changed = new vscode.EventEmitter<undefined>();
	readonly folder: string;
	/** Drafts of deployments, if a test fakes any. */
	deploymentDrafts: DeploymentDrafts | undefined;
	readonly #beside: WindowUnderTest | undefined;
	#clients: ServiceClient[] = [];
	/** Target of the connection; by default the fake service. */
	readonly #target: { readonly url: string; readonly key: string } | undefined;
	readonly #others: readonly Connection[];
	connections!: Connections;
	windows!: WindowPresence;
	records: RunRecords;
	runs!: RunsCore;
	agents!: AgentsCore;

	/**
	 * `target`: a running gateway whose agents are already known. `others`: more connections, to the fake service. `beside`: another window
	 * with the same folder and service.
	 */
	constructor(target?: { readonly url: string; readonly key: string }, others: readonly Connection[] = [], beside?: WindowUnderTest) {
		this.#beside = beside;
		this.service = beside?.service ?? new FaultService();
		this.folder = beside?.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'aw-window-'));
		this.#target = target;
		this.#others = others;
		this.records = new RunRecords(this.#createHistory());
		this.#createRuns();
	}

	async start(): Promise<void> {
		await this.service.start();
	}

	async dispose(): Promise<void> {
		this.closeWindow();
		this.#log.dispose();
		await Promise.all(this.#clients.map(client => client.close()));
		if (!this.#beside) {
			await this.service.stop();
			// a journal may still be written while the folder is deleted
			fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
		}
	}

	#createHistory(): RunRecordFiles {
		this.windows = new WindowPresence(this.folder);
		return new RunRecordFiles(this.folder, this.windows, error => {
			throw error;
		});
	}

	/** Writes a file next to the run files and opens it as a document. */
	async openDocument(name: string, text: string): Promise<vscode.TextDocument> {
		const file = path.join(this.folder, name);
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(file, text);
		return vscode.workspace.openTextDocument(vscode.Uri.file(file));
	}

	closeWindow(): void {
		this.agents.dispose();
		this.runs.dispose();
		this.records.dispose();
		this.windows.dispose();
	}

	/** Closes the window and opens it again. The new window knows only the saved runs. */
	reopenWindow(): void {
		this.closeWindow();
		this.records = new RunRecords(this.#createHistory());
		this.#createRuns();
	}

	/** Writes a run file and runs it with the command; resolves when the command has finished. */
	runFile(body: unknown = { model: 'played', inputs: {} }, name = 'played.run.json'): Promise<RunRecord | undefined> {
		const file = path.join(this.folder, name);
		fs.writeFileSync(file, typeof body === 'string' ? body : JSON.stringify(body));
		return this.executeCommand('agentWorkbench.workflow.runFile', vscode.Uri.file(file)) as Promise<RunRecord | undefined>;
	}

	/** Executes a command on runs or agent files. */
	executeCommand(id: CommandId, argument?: unknown, selected?: unknown): unknown {
		return { ...this.runs.handlers, ...this.agents.handlers }[id]?.(argument, selected);
	}

	createAssistantWork(): AssistantWork {
		return createAssistantWork(this.runs, this.agents);
	}

	async stop(): Promise<void> {
		await this.executeCommand('agentWorkbench.run.stop', this.latest.key);
	}

	get latest(): RunRecord {
		const record = this.records.list()[0];
		if (!record) {
			throw new Error('No run was started');
		}
		return record;
	}

	/** Resolves when the latest run matches. */
	waitForRun(wanted: (record: RunRecord) => boolean): Promise<RunRecord> {
		return new Promise(resolve => {
			const checkLatestRun = () => {
				const record = this.records.list()[0];
				if (record && wanted(record)) {
					listener.dispose();
					resolve(record);
				}
			};
			const listener = this.records.onDidChange(checkLatestRun);
			checkLatestRun();
		});
	}

	#createRuns(): void {
		const connection: Connection = this.#target
			? { id: 'built-in', name: 'Test gateway', kind: 'built-in', user: 'ana' }
			: { id: 'played', name: 'Played service', kind: 'gateway', user: 'ana' };
		const list = [connection, ...this.#others];
		const getClient = async (id: string) => {
			const target = id === connection.id ? this.#target : undefined;
			const made = new ServiceClient({
				baseUrl: target?.url ?? this.service.url,
				kind: 'gateway',
				keys: { agent: target?.key ?? 'k' },
			});
			this.#clients.push(made);
			return made;
		};
		this.connections = {
			onDidChange: this.#changed.event,
			onDidChangeAgents: this.#changed.event as vscode.Event<never>,
			list: () => list,
			get: id => list.find(each => each.id === id),
			state: id => ({ kind: this.#target && id === connection.id ? 'ready' : 'idle' }),
			getDefault: () => connection,
			getClient,
			listAgents: async id => (await getClient(id)).listAgents(),
			getKnownAgents: () => undefined,
			listMessagesModels: async id => (await (await getClient(id)).listMessagesModels()).map(model => model.id),
			reloadLists: () => {},
			listInvalid: () => [],
			toProblem: (_id, error) => error,
		};
		const { extensionPath } = getExtensionUnderTest();
		const channel = this.channel as unknown as vscode.OutputChannel;
		const shared = {
			extensionPath,
			connections: this.connections,
			agentFolders: () => [path.join(this.folder, 'agents')],
			log: this.#log,
		};
		this.runs = new RunsCore({
			...shared,
			dataFolder: this.folder,
			memory: this.#memory,
			records: this.records,
			channel,
			prepare: (...asked) => this.agents.prepare(...asked),
			agents: async () => this.agents,
			drafts: () => (this.deploymentDrafts ? Promise.resolve(this.deploymentDrafts) : Promise.reject(new Error('No deployments.'))),
		});
		this.agents = new AgentsCore({
			...shared,
			secrets: new MemorySecrets(),
			runFiles: new RunFileIndex(),
			runs: this.runs,
			codeChanged: new vscode.EventEmitter(),
		});
	}
}
