import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { messageOf } from '../common/problems.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { AgentEditing } from './agentEditing/agentEditing.ts';
import { AgentFileCommands } from './agentFileCommands.ts';
import { AgentFileDiagnostics } from './agentFileDiagnostics.ts';
import { AgentFileLenses } from './agentFileLenses.ts';
import { AgentFiles } from './agentFiles.ts';
import { FileTargets } from './fileTargets.ts';
import type { RunSource } from './inspector/inspectedRun.ts';
import type { Inspectors } from './inspector/inspectors.ts';
import type { CommandHandlers, WorkflowCommand } from './names.ts';
import { keyOf } from './runChoice.ts';
import { RunCommands } from './runCommands.ts';
import { RunDocuments } from './runDocuments.ts';
import { RunFileCommands } from './runFileCommands.ts';
import { RunFileCompletion } from './runFileCompletion.ts';
import { RunFileDiagnostics } from './runFileDiagnostics.ts';
import { RunFileFixes } from './runFileFixes.ts';
import { RunFileHover } from './runFileHover.ts';
import { RunFileLenses } from './runFileLenses.ts';
import { RunFileService } from './runFileService.ts';
import { RunJournal } from './runJournal.ts';
import { RunLinks } from './runLinks.ts';
import { Runner } from './runner.ts';
import { RunStarter } from './runStarter.ts';
import { RunStatus } from './runStatus.ts';
import type { RunStore } from './runStore.ts';
import { type RunStory, runStory } from './runStory.ts';
import { RunsChannel } from './runsChannel.ts';

export interface WorkflowsCoreParts {
	readonly extensionPath: string;
	/** Folder of this workspace's data. */
	readonly dataFolder: string;
	/** What is remembered of this workspace. */
	readonly memory: vscode.Memento;
	readonly connections: Connections;
	/** Absolute paths of the agents folders; none in a workspace that is not trusted. */
	readonly agentFolders: () => readonly string[];
	readonly store: RunStore;
	readonly channel: vscode.OutputChannel;
	readonly log: vscode.LogOutputChannel;
}

/** All that is needed only once there is a run file or a run: a chunk of its own, loaded by {@link Workflows} on first use. */
export class WorkflowsCore extends DisposableBase {
	readonly lenses: RunFileLenses;
	readonly links: RunLinks;
	readonly documents: RunDocuments;
	readonly completion: RunFileCompletion;
	readonly hover: RunFileHover;
	readonly fixes: RunFileFixes;
	readonly agentFiles: AgentFiles;
	readonly agentLenses: AgentFileLenses;
	readonly #handlers: CommandHandlers;
	readonly #store: RunStore;
	readonly #journal: RunJournal;
	readonly #loadInspectors: () => Promise<Inspectors>;
	#inspectors: Promise<Inspectors> | undefined;
	readonly #loadAgentEditing: () => Promise<AgentEditing>;
	#agentEditing: Promise<AgentEditing> | undefined;

	constructor({ extensionPath, dataFolder, memory, connections, agentFolders, store, channel: output, log }: WorkflowsCoreParts) {
		super();
		const folder = path.join(dataFolder, 'runs');
		const journal = this.own(new RunJournal(folder, error => log.error(`Journals of runs: ${messageOf(error)}`)));
		const channel = this.own(new RunsChannel(output));
		const runner = this.own(new Runner({ connections, store, journal, channel, log }));
		const starter = new RunStarter({ connections, runner, runs: store, channel });
		const targets = new FileTargets(connections, memory);
		const files = new RunFileService({ connections, targets, extensionPath, log });
		const diagnostics = this.own(new RunFileDiagnostics(files, connections, log));
		this.own(new RunStatus(store));
		this.documents = this.own(new RunDocuments(store, journal));
		this.lenses = this.own(new RunFileLenses(store, connections, targets));
		this.links = new RunLinks(store);
		this.completion = new RunFileCompletion(files);
		this.hover = new RunFileHover(files);
		this.fixes = new RunFileFixes(files);
		this.agentFiles = new AgentFiles(connections, log);
		this.#loadAgentEditing = async () => {
			const loaded = await import('./agentEditing/agentEditing.ts');
			return new loaded.AgentEditing(extensionPath, connections, log);
		};
		this.own(new AgentFileDiagnostics({ files: this.agentFiles, editing: () => this.agentEditing(), connections, log }));
		this.agentLenses = this.own(new AgentFileLenses(this.agentFiles, connections));
		const agentFileCommands = new AgentFileCommands({ agentFiles: this.agentFiles, runFiles: files, starter });
		const describeAgent = (uri: vscode.Uri) => agentFileCommands.describe(uri);
		const onTargetChosen = () => this.lenses.refresh();
		const runFileCommands = new RunFileCommands({ connections, files, targets, diagnostics, starter, describeAgent, onTargetChosen });
		const audioFolder = path.join(dataFolder, 'audio');
		const runCommands = new RunCommands({
			connections,
			runner,
			starter,
			store,
			journal,
			documents: this.documents,
			channel,
			folder: audioFolder,
		});
		this.#store = store;
		this.#journal = journal;
		const source: RunSource = { runs: store, runner, journal, documents: this.documents, connections, agentFolders };
		this.#loadInspectors = async () => {
			const loaded = await import('./inspector/inspectors.ts');
			return this.own(new loaded.Inspectors(vscode.Uri.file(extensionPath), { source, memory, log }));
		};
		this.#handlers = {
			...runFileCommands.handlers,
			...runCommands.handlers,
			...agentFileCommands.handlers,
			'agentWorkbench.run.inspect': argument => this.#inspect(argument),
		};
		runner.resume();
	}

	execute(command: WorkflowCommand, argument: unknown): unknown {
		return this.#handlers[command]?.(argument);
	}

	/** What is kept of a run for a question about it. */
	story(key: string): Promise<RunStory> {
		return runStory(this.#journal.read(key));
	}

	/** The inspectors of runs: a chunk of their own, loaded with the first of them. */
	inspectors(): Promise<Inspectors> {
		this.#inspectors ??= this.#loadInspectors();
		return this.#inspectors;
	}

	/** Completion, hovers and faults of agent files: a chunk of their own, loaded with the first of those files. */
	agentEditing(): Promise<AgentEditing> {
		this.#agentEditing ??= this.#loadAgentEditing();
		return this.#agentEditing;
	}

	/** Inspects the run that is meant, else the latest. */
	async #inspect(argument: unknown): Promise<void> {
		const key = keyOf(argument) ?? this.#store.list()[0]?.key;
		if (key === undefined) {
			void vscode.window.showInformationMessage(vscode.l10n.t('No runs yet. Open a run file and press Run.'));
			return;
		}
		(await this.inspectors()).show(key);
	}
}
