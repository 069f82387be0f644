import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import { RunLeftovers } from '#runs/following/runLeftovers.ts';
import { EventJournals } from '#runs/history/eventJournals.ts';
import { isRunFinished, isRunOver } from '#runs/runStatus.ts';
import { getBuiltInConnection } from '../connections/builtInConnection.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import { ColumnMemory } from '../platform/columnMemory.ts';
import { markMilestone } from '../platform/milestones.ts';
import { RunFileCompletion } from './files/editing/runFileCompletion.ts';
import { RunFileDiagnostics } from './files/editing/runFileDiagnostics.ts';
import { RunFileFixes } from './files/editing/runFileFixes.ts';
import { RunFileHover } from './files/editing/runFileHover.ts';
import { RunFileLenses } from './files/editing/runFileLenses.ts';
import { FileTargets } from './files/fileTargets.ts';
import { RunFileCommands } from './files/runFileCommands.ts';
import { RunFileService } from './files/runFileService.ts';
import type { AgentFilesOfRuns } from './following/agentFilesOfRuns.ts';
import { OutputReveal } from './following/outputReveal.ts';
import { chooseKeyToInspect } from './following/runChoice.ts';
import { RunCommands } from './following/runCommands.ts';
import { RunControl } from './following/runControl.ts';
import { RunDocumentProvider } from './following/runDocumentProvider.ts';
import { RunPresenter } from './following/runPresenter.ts';
import { RunReader } from './following/runReader.ts';
import { createLazyDrafts, type DeploymentDrafts, RunServices } from './following/runServices.ts';
import { RunStatusBar } from './following/runStatusBar.ts';
import { ServiceRuns } from './following/serviceRuns.ts';
import { StoredRequests } from './following/storedRequests.ts';
import { FormCommands } from './forms/formCommands.ts';
import { FormNotices } from './forms/formNotices.ts';
import { PausedRunWatch } from './forms/pausedRuns.ts';
import { RunFormAnswers } from './forms/runFormAnswers.ts';
import type { RunRecords } from './history/runRecords.ts';
import type { InputForms } from './inputs/inputForms.ts';
import type { InputRunsParts } from './inputs/inputRuns.ts';
import type { Inspectors } from './inspector/inspectors.ts';
import type { LogsPages } from './logs/logsPages.ts';
import { RunLinks } from './output/runLinks.ts';
import { RunsChannel } from './output/runsChannel.ts';
import { FileRecordings } from './recordings/fileRecordings.ts';
import type { UsagePages } from './usage/usagePages.ts';

interface RunsCoreParts {
	readonly extensionPath: string;
	/** Folder for the data of this workspace. */
	readonly dataFolder: string;
	readonly memory: vscode.Memento;
	readonly connections: Connections;
	/** Returns the absolute paths of the agents folders, or none in an untrusted workspace. */
	readonly agentFolders: () => readonly string[];
	readonly records: RunRecords;
	readonly channel: vscode.OutputChannel;
	readonly prepare: PrepareAgent;
	readonly agents: () => Promise<AgentFilesOfRuns>;
	readonly drafts: () => Promise<DeploymentDrafts>;
	readonly log: vscode.LogOutputChannel;
}

/** Contains everything that is needed only once there is a run file or a run. In a separate bundle chunk, loaded on first use. */
export class RunsCore extends DisposableBase {
	readonly records: RunRecords;
	readonly journals: EventJournals;
	readonly drafts: DeploymentDrafts;
	readonly control: RunControl;
	readonly presenter: RunPresenter;
	readonly documents: RunDocumentProvider;
	readonly requests: StoredRequests;
	readonly reader: RunReader;
	readonly targets: FileTargets;
	readonly recordings: FileRecordings;
	readonly files: RunFileService;
	readonly fileCommands: RunFileCommands;
	readonly lenses: RunFileLenses;
	readonly completion: RunFileCompletion;
	readonly hover: RunFileHover;
	readonly fixes: RunFileFixes;
	readonly links: RunLinks;
	/** Loaded as a separate bundle chunk, like the pages that follow. */
	readonly inspectors: () => Promise<Inspectors>;
	readonly inputForms: () => Promise<InputForms>;
	readonly logs: () => Promise<LogsPages>;
	readonly usage: () => Promise<UsagePages>;
	readonly handlers: CommandHandlers;

	constructor({ extensionPath, dataFolder, memory, connections, agentFolders, records, prepare, agents, log, ...parts }: RunsCoreParts) {
		super();
		this.records = records;
		const extensionUri = vscode.Uri.file(extensionPath);
		const folder = path.join(dataFolder, 'runs');
		const audioFolder = path.join(dataFolder, 'audio');
		const journals = this.register(new EventJournals(folder, error => log.error(`Run journals: ${getErrorMessage(error)}`)));
		this.journals = journals;
		const channel = this.register(new RunsChannel(parts.channel));
		const drafts = createLazyDrafts(parts.drafts);
		this.drafts = drafts;
		const services = new RunServices(connections, drafts);
		const recordings = this.register(new FileRecordings({ connections, memory, log }));
		this.recordings = recordings;
		const control = this.register(new RunControl({ connections, services, records, journals, channel, recordings, log }));
		this.control = control;
		const answers = new RunFormAnswers(connections, services, journals, control, prepare);
		const serviceRuns = new ServiceRuns(connections, services, log);
		const documents = this.register(new RunDocumentProvider(records, journals, serviceRuns));
		this.documents = documents;
		const requests = new StoredRequests(documents);
		this.requests = requests;
		this.reader = new RunReader({ records, journals, documents, requests, serviceRuns, drafts });
		const inspectors = createLazyLoader(async () => {
			const loaded = await import('./inspector/inspectors.ts');
			const source = { runs: records, control, journals, documents, serviceRuns, answers, connections, agentFolders, log };
			return this.register(new loaded.Inspectors(extensionUri, { source, memory, log }));
		});
		this.inspectors = inspectors;
		const reveal = new OutputReveal(() => channel.showChannel());
		const presenter = new RunPresenter({
			services,
			control,
			journals,
			agentFolders,
			reveal,
			views: () => inspectors.loaded,
			prepare,
			recordings,
		});
		this.presenter = presenter;
		const targets = this.register(new FileTargets(connections, memory));
		this.targets = targets;
		const files = new RunFileService({ connections, targets, extensionPath, log });
		this.files = files;
		const diagnostics = this.register(new RunFileDiagnostics(files, connections, targets, log));
		this.fileCommands = new RunFileCommands({ connections, files, targets, diagnostics, presenter, recordings, agents });
		this.lenses = this.register(new RunFileLenses(records, connections, targets, recordings));
		this.completion = new RunFileCompletion(files);
		this.hover = new RunFileHover(files);
		this.fixes = new RunFileFixes(files);
		this.links = new RunLinks(records);
		this.register(new RunStatusBar(records));
		this.register(records.onDidChange(run => isRunFinished(run) && markMilestone('hasRun')));
		this.register(new FormNotices(records));
		this.register(new PausedRunWatch({ connections, services, records, onContinued: key => control.continueRun(key), log }));
		const leftovers = new RunLeftovers([folder, audioFolder], error =>
			log.error(`Couldn't delete data of removed runs: ${getErrorMessage(error)}`),
		);
		this.register(records.onDidRemoveOwn(keys => void journals.removeJournals(keys).then(() => leftovers.removeFiles(keys))));
		const runAgentOrDraft: InputRunsParts['run'] = async (connection, request, origin, agentFile, onStart) =>
			agentFile && !origin.deployment
				? (await agents()).runDraftWith(agentFile, { secrets: new Map(), ...origin, request }, onStart)
				: presenter.run(connection, request, origin, onStart);
		this.inputForms = createLazyLoader(async () => {
			const loaded = await import('./inputs/inputForms.ts');
			const describeAgentFile: InputRunsParts['describe'] = async file => (await agents()).describe(file);
			const runs = {
				connections,
				runs: records,
				requests,
				describe: describeAgentFile,
				describeDraft: drafts.describeApp,
				run: runAgentOrDraft,
			};
			return this.register(new loaded.InputForms(extensionUri, runs, log));
		});
		this.logs = createLazyLoader(async () => {
			const loaded = await import('./logs/logsPages.ts');
			return this.register(new loaded.LogsPages(extensionUri, { connections, columns: new ColumnMemory(memory, 'logs'), log }));
		});
		this.usage = createLazyLoader(async () => {
			const loaded = await import('./usage/usagePages.ts');
			return this.register(
				new loaded.UsagePages(extensionUri, {
					connections,
					builtIn: () => getBuiltInConnection(connections),
					columns: new ColumnMemory(memory, 'usage'),
					log,
				}),
			);
		});
		this.handlers = {
			...this.fileCommands.handlers,
			...new RunCommands({
				connections,
				services,
				control,
				presenter,
				records,
				journals,
				leftovers,
				documents,
				serviceRuns,
				requests,
				channel,
				folder: audioFolder,
				agents,
			}).handlers,
			...new FormCommands(records, answers).handlers,
			'agentWorkbench.run.inspect': argument => this.#inspectCommandArgument(argument),
			'agentWorkbench.run.keepOpen': async () => (await this.inspectors()).keepOpen(),
			'agentWorkbench.requestLog.open': async () => (await this.usage()).openUsage('calls'),
			'agentWorkbench.usage.open': async () => (await this.usage()).openUsage('usage'),
			'agentWorkbench.modelCache.clear': async () => (await this.usage()).clearCache(),
			'agentWorkbench.logs.open': async argument => (await this.logs()).openLogs(argument),
		};
		control.resumeRuns();
		recordings.finishLeftRecordings(id => records.list().some(record => record.recording === id && !isRunOver(record)));
	}

	/** Shows a run in the inspector. The run can be one of this editor or of a service. */
	async inspectRun(key: string): Promise<void> {
		(await this.inspectors()).showRun(key);
	}

	async #inspectCommandArgument(argument: unknown): Promise<void> {
		const key = await chooseKeyToInspect(argument, this.records);
		if (key !== undefined) {
			await this.inspectRun(key);
		}
	}
}
