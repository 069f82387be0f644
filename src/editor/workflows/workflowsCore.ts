import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentFault } from '#agentFile/checks/agentFaults.ts';
import { faultsBeside } from '#agentFile/checks/faultsBeside.ts';
import { type CommandHandlers, suiteCommands, type WorkflowCommand } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { messageOf } from '#base/problems.ts';
import { loadedOnce } from '#base/timing/loadedOnce.ts';
import type { AgentFileFault } from '#contract/agents.ts';
import { type RunStory, runStory } from '#runs/events/runStory.ts';
import { outputsOf } from '#runs/following/detailPoll.ts';
import { RunLeftovers } from '#runs/following/runLeftovers.ts';
import { EventJournals } from '#runs/history/eventJournals.ts';
import { runHasText } from '#runs/history/runTexts.ts';
import { isActive, isFinished, isPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { serviceRunKey, serviceRunOf, serviceRunOfKey } from '#runs/serviceRun.ts';
import type { AgentEditing } from '../agents/editing/agentEditing.ts';
import { AgentFileCommands, agentDocument } from '../agents/files/agentFileCommands.ts';
import { AgentFileDiagnostics } from '../agents/files/agentFileDiagnostics.ts';
import { AgentFileLenses } from '../agents/files/agentFileLenses.ts';
import { AgentFiles } from '../agents/files/agentFiles.ts';
import { AgentSecrets } from '../agents/files/agentSecrets.ts';
import { AgentWarnings } from '../agents/files/agentWarnings.ts';
import { isAgentFile } from '../agents/files/isAgentFile.ts';
import { isLinked } from '../agents/files/linkOfFile.ts';
import { reindexKnowledge } from '../agents/files/reindexKnowledge.ts';
import type { GraphPanels } from '../agents/graph/graphPanels.ts';
import { FailureMarks } from '../agents/lastRuns/failureMarks.ts';
import { LastValues } from '../agents/lastRuns/lastValues.ts';
import { RunMarker } from '../agents/lastRuns/runMarker.ts';
import type { AgentWork } from '../assistant/tools/agentWork.ts';
import type { Connection, Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import type { AgentDebugging } from '../debugger/agentDebugging.ts';
import type { DraftWork } from '../dify/drafts/draftWork.ts';
import { reached } from '../platform/milestones.ts';
import { RunFileCompletion } from '../runs/files/editing/runFileCompletion.ts';
import { RunFileDiagnostics } from '../runs/files/editing/runFileDiagnostics.ts';
import { RunFileFixes } from '../runs/files/editing/runFileFixes.ts';
import { RunFileHover } from '../runs/files/editing/runFileHover.ts';
import { RunFileLenses } from '../runs/files/editing/runFileLenses.ts';
import { FileTargets } from '../runs/files/fileTargets.ts';
import { uriOf } from '../runs/files/runFileChoice.ts';
import { RunFileCommands } from '../runs/files/runFileCommands.ts';
import type { RunFileIndex } from '../runs/files/runFileIndex.ts';
import { RunFileService } from '../runs/files/runFileService.ts';
import { agentFileOfRun } from '../runs/following/agentFileOfRun.ts';
import { KeptRequests } from '../runs/following/keptRequests.ts';
import { OutputReveal } from '../runs/following/outputReveal.ts';
import { pastFields, pastServiceRun } from '../runs/following/pastRuns.ts';
import { chooseRun, keyOf, serviceRunNamed } from '../runs/following/runChoice.ts';
import { RunCommands } from '../runs/following/runCommands.ts';
import { RunControl } from '../runs/following/runControl.ts';
import { RunDocumentProvider } from '../runs/following/runDocumentProvider.ts';
import { RunPresenter } from '../runs/following/runPresenter.ts';
import { type DeploymentDrafts, RunServices } from '../runs/following/runServices.ts';
import { RunStatusBar } from '../runs/following/runStatusBar.ts';
import { recordOfDetail, ServiceRuns } from '../runs/following/serviceRuns.ts';
import { FormCommands } from '../runs/forms/formCommands.ts';
import { FormNotices } from '../runs/forms/formNotices.ts';
import { PausedRuns } from '../runs/forms/pausedRuns.ts';
import { RunFormAnswers } from '../runs/forms/runFormAnswers.ts';
import type { RunRecords } from '../runs/history/runRecords.ts';
import { InputCommands } from '../runs/inputs/inputCommands.ts';
import type { InputForms } from '../runs/inputs/inputForms.ts';
import type { InputRunsParts } from '../runs/inputs/inputRuns.ts';
import type { RunSource } from '../runs/inspector/inspectedRun.ts';
import type { Inspectors } from '../runs/inspector/inspectors.ts';
import type { LogsPages } from '../runs/logs/logsPages.ts';
import { RunLinks } from '../runs/output/runLinks.ts';
import { RunsChannel } from '../runs/output/runsChannel.ts';
import type { UsagePages } from '../runs/usage/usagePages.ts';
import type { SuiteTesting } from '../suites/suiteTesting.ts';

export interface WorkflowsCoreParts {
	readonly extensionPath: string;
	/** Folder of this workspace's data. */
	readonly dataFolder: string;
	/** What is remembered of this workspace. */
	readonly memory: vscode.Memento;
	readonly secrets: vscode.SecretStorage;
	readonly connections: Connections;
	/** Absolute paths of the agents folders; none in a workspace that is not trusted. */
	readonly agentFolders: () => readonly string[];
	readonly runFiles: RunFileIndex;
	readonly deploymentDrafts: () => Promise<DeploymentDrafts>;
	/** Tells the editor of programs in agent files that have another text now. */
	readonly codeChanged: vscode.EventEmitter<vscode.FileChangeEvent[]>;
	readonly records: RunRecords;
	readonly channel: vscode.OutputChannel;
	/** Shows an error with what mends it. */
	readonly showError: (error: unknown, where: string) => unknown;
	readonly log: vscode.LogOutputChannel;
}

/** All that is needed only once there is a run file or a run: a chunk of its own, loaded by {@link Workflows} on first use. */
export class WorkflowsCore extends DisposableBase {
	readonly lenses: RunFileLenses;
	readonly links: RunLinks;
	readonly documents: RunDocumentProvider;
	readonly completion: RunFileCompletion;
	readonly hover: RunFileHover;
	readonly fixes: RunFileFixes;
	readonly agentFiles: AgentFiles;
	readonly agentLenses: AgentFileLenses;
	/** Asks for those secrets of an agent that were never asked for, and hands all of them to the gateway. */
	readonly prepare: PrepareAgent;
	/** What tools of VS Code's own AI do with agent files and runs. */
	readonly agentWork: AgentWork;
	/** What drafts of deployments are run and looked at with. */
	readonly draftWork: DraftWork;
	readonly #handlers: CommandHandlers;
	readonly #records: RunRecords;
	readonly #journals: EventJournals;
	/** The inspectors of runs: a chunk of their own, as those below, each loaded with its first use. */
	readonly inspectors: () => Promise<Inspectors>;
	/** The forms for inputs. */
	readonly inputForms: () => Promise<InputForms>;
	/** The pages of logs. */
	readonly logs: () => Promise<LogsPages>;
	readonly usage: () => Promise<UsagePages>;
	/** Suites of tests. */
	readonly testing: () => Promise<SuiteTesting>;
	/** The graphs of agent files. */
	readonly graphs: () => Promise<GraphPanels>;
	/** The debugger. */
	readonly debugging: () => Promise<AgentDebugging>;
	/** Completion, hovers and faults of agent files. */
	readonly agentEditing: () => Promise<AgentEditing>;

	constructor({
		extensionPath,
		dataFolder,
		memory,
		secrets,
		connections,
		agentFolders,
		runFiles,
		deploymentDrafts,
		codeChanged,
		records,
		channel: output,
		showError,
		log,
	}: WorkflowsCoreParts) {
		super();
		const folder = path.join(dataFolder, 'runs');
		const journals = this.own(new EventJournals(folder, error => log.error(`Journals of runs: ${messageOf(error)}`)));
		const channel = this.own(new RunsChannel(output));
		const drafts: DeploymentDrafts = {
			service: async (...asked) => (await deploymentDrafts()).service(...asked),
			linkedFile: async (...asked) => (await deploymentDrafts()).linkedFile(...asked),
			chooseRun: async (...asked) => (await deploymentDrafts()).chooseRun(...asked),
			describe: async (...asked) => (await deploymentDrafts()).describe(...asked),
		};
		const services = new RunServices(connections, drafts);
		const control = this.own(new RunControl({ connections, services, records, journals, channel, log }));
		const agentSecrets = new AgentSecrets(secrets, connections);
		this.agentFiles = this.own(new AgentFiles(connections, log));
		const warnings = new AgentWarnings(this.agentFiles, connections);
		const prepare = async (connection: Connection, agent: string, file: vscode.Uri | undefined) => {
			await warnings.confirm(connection, agent, file);
			await agentSecrets.prepare(connection, agent, file);
		};
		this.prepare = (connection, agent) => prepare(connection, agent, undefined);
		const answers = new RunFormAnswers(connections, services, journals, control, this.prepare);
		/** The inspectors, once there are any. */
		let inspectors: Inspectors | undefined;
		const presenter = new RunPresenter({
			services,
			control,
			runs: records,
			reveal: new OutputReveal(() => channel.show()),
			views: () => inspectors,
			prepare,
		});
		const targets = new FileTargets(connections, memory);
		const files = new RunFileService({ connections, targets, extensionPath, log });
		const diagnostics = this.own(new RunFileDiagnostics(files, connections, log));
		this.own(new RunStatusBar(records));
		this.own(records.onDidChange(run => isFinished(run) && reached('hasRun')));
		this.own(new FormNotices(records));
		this.own(new PausedRuns({ connections, services, records, goOn: key => control.goOn(key), log }));
		const serviceRuns = new ServiceRuns(connections, services, log);
		this.documents = this.own(new RunDocumentProvider(records, journals, serviceRuns));
		const requests = new KeptRequests(this.documents);
		this.lenses = this.own(new RunFileLenses(records, connections, targets));
		this.links = new RunLinks(records);
		this.completion = new RunFileCompletion(files);
		this.hover = new RunFileHover(files);
		this.fixes = new RunFileFixes(files);
		const fileOf = async (record: RunRecord) =>
			record.agentFile !== undefined || connections.get(record.connectionId)?.kind === 'built-in'
				? (await agentFileOfRun(record, agentFolders())).uri
				: undefined;
		const lastValues = new LastValues(records, journals, fileOf);
		const nodeTexts = async (file: vscode.TextDocument | string) => (await this.agentEditing()).nodeTexts(file);
		const published = (uri: vscode.Uri) => this.agentFiles.published(uri);
		this.own(new RunMarker({ records, journals, fileOf, published, nodeTexts, log }));
		this.own(new FailureMarks(records, nodeTexts, log));
		this.agentEditing = loadedOnce(async () => {
			const loaded = await import('../agents/editing/agentEditing.ts');
			const editing = new loaded.AgentEditing(extensionPath, connections, lastValues, log);
			this.own(vscode.languages.setLanguageConfiguration('yaml', { onEnterRules: editing.enterRules }));
			return editing;
		});
		this.own(new AgentFileDiagnostics({ files: this.agentFiles, editing: () => this.agentEditing(), connections, log }));
		this.agentLenses = this.own(
			new AgentFileLenses(this.agentFiles, connections, async document => (await this.agentEditing()).readings.ready(document)),
		);
		const agentFileCommands = new AgentFileCommands({
			agentFiles: this.agentFiles,
			runFiles: files,
			presenter,
			secrets: agentSecrets,
			targets,
			runs: records,
			requests,
		});
		this.draftWork = {
			run: (...asked) => presenter.run(...asked),
			runs: records,
			requests,
			runFiles: files,
			fillIn: async target => (await this.inputForms()).show(target),
			inspect: async key => (await this.inspectors()).show(key),
			resume: connectionId => control.resume(connectionId),
		};
		this.agentWork = {
			check: async document => {
				const name = this.agentFiles.nameOf(document.uri);
				const [own, check] = await Promise.all([(await this.agentEditing()).faults(document), this.agentFiles.check(document)]);
				return { name, check, faults: [...own.map(fault => faultWithLine(document, fault)), ...faultsBeside(own, check.faults)] };
			},
			start: (...asked) => control.start(...asked),
			stop: key => void control.stop(key),
			secrets: (...asked) => agentSecrets.prepare(...asked),
			told: async record => {
				const outputs = await this.documents.outputs(record);
				return { record: { ...record, outputs }, story: await this.story(record.key) };
			},
			serviceRun: async of => {
				const detail = await serviceRuns.detail(of);
				const record = recordOfDetail(of, detail);
				return { record: { ...record, outputs: outputsOf(detail) }, story: await runStory(serviceRuns.events(of, record)) };
			},
		};
		const describeAgent = (uri: vscode.Uri) => agentFileCommands.describe(uri);
		/** The suites, once there are any. */
		let testing: SuiteTesting | undefined;
		const onTargetChosen = () => {
			this.lenses.refresh();
			testing?.checkAll();
		};
		const runFileCommands = new RunFileCommands({ connections, files, targets, diagnostics, presenter, describeAgent, onTargetChosen });
		const audioFolder = path.join(dataFolder, 'audio');
		const leftovers = new RunLeftovers([folder, audioFolder], error => log.error(`Files of runs: ${messageOf(error)}`));
		this.own(records.onDidRemove(keys => void journals.flush().then(() => leftovers.remove(keys))));
		const runCommands = new RunCommands({
			connections,
			services,
			control,
			presenter,
			records,
			journals,
			leftovers,
			documents: this.documents,
			serviceRuns,
			requests,
			channel,
			folder: audioFolder,
			runDraftAgain: (record, filled) => agentFileCommands.runDraftAgain(record, filled),
		});
		this.#records = records;
		this.#journals = journals;
		const source: RunSource = {
			runs: records,
			control,
			journals,
			documents: this.documents,
			serviceRuns,
			answers,
			connections,
			agentFolders,
			log,
		};
		this.inspectors = loadedOnce(async () => {
			const loaded = await import('../runs/inspector/inspectors.ts');
			inspectors = this.own(new loaded.Inspectors(vscode.Uri.file(extensionPath), { source, memory, log }));
			return inspectors;
		});
		this.inputForms = loadedOnce(async () => {
			const loaded = await import('../runs/inputs/inputForms.ts');
			const run: InputRunsParts['run'] = (connection, request, origin, agentFile, began) =>
				agentFile && !origin.deployment
					? agentFileCommands.runDraftWith(agentFile, { secrets: new Map(), ...origin, request }, began)
					: presenter.run(connection, request, origin, began);
			return this.own(
				new loaded.InputForms(
					vscode.Uri.file(extensionPath),
					{ connections, runs: records, requests, describe: describeAgent, describeDraft: drafts.describe, run },
					log,
				),
			);
		});
		const inputCommands = new InputCommands({
			connections,
			targets,
			builtIn: () => this.agentFiles.connection(),
			describe: describeAgent,
			isAgentFile,
			forms: this.inputForms,
		});
		this.logs = loadedOnce(async () => {
			const loaded = await import('../runs/logs/logsPages.ts');
			return this.own(new loaded.LogsPages(vscode.Uri.file(extensionPath), { connections, log }));
		});
		this.usage = loadedOnce(async () => {
			const loaded = await import('../runs/usage/usagePages.ts');
			return this.own(
				new loaded.UsagePages(vscode.Uri.file(extensionPath), { connections, builtIn: () => this.agentFiles.connection(), log }),
			);
		});
		const pastRun = async (argument: unknown) => {
			const of = serviceRunNamed(argument);
			if (of) {
				return pastServiceRun(of.agentName, await serviceRuns.detail(of));
			}
			const none = vscode.l10n.t('No runs yet. Open a run file and press Run.');
			const record = await chooseRun(argument, records, isFinished, none);
			const request = record && (await requests.of(record));
			return (
				request && {
					...pastFields(request),
					secretPlaces: await requests.secretPlaces(record),
					agent: record.agent,
					status: record.status,
					outputs: (await this.documents.outputs(record)) ?? {},
				}
			);
		};
		this.testing = loadedOnce(async () => {
			const loaded = await import('../suites/suiteTesting.ts');
			testing = this.own(
				new loaded.SuiteTesting({ extensionPath, dataFolder, connections, runFiles: files, prepare: this.prepare, pastRun, log }),
			);
			return testing;
		});
		this.graphs = loadedOnce(async () => {
			const [loaded, editing] = await Promise.all([import('../agents/graph/graphPanels.ts'), this.agentEditing()]);
			return this.own(
				new loaded.GraphPanels(vscode.Uri.file(extensionPath), {
					runs: records,
					read: async key => (await this.inspectors()).read(key),
					inspect: async key => (await this.inspectors()).show(key),
					forms: {
						faults: document => editing.faults(document),
						models: () => editing.models(),
					},
					readings: editing.readings,
					codeChanged,
					agentFolders,
					runFiles,
					log,
				}),
			);
		});
		this.debugging = loadedOnce(async () => {
			const loaded = await import('../debugger/agentDebugging.ts');
			return this.own(
				new loaded.AgentDebugging({
					connections,
					files,
					presenter,
					control,
					records,
					describe: describeAgent,
					draftInputs: document => agentFileCommands.inputs(document),
					request: (document, agents) => runFileCommands.request(document, 'streaming', agents),
					showError,
				}),
			);
		});
		const findRun = async (key: string): Promise<RunRecord | undefined> => {
			const of = serviceRunOfKey(key);
			if (!of?.app) {
				return records.get(key);
			}
			const file = await drafts.linkedFile(of.connectionId, of.app.id);
			return { ...recordOfDetail(of, await serviceRuns.detail(of)), ...(file && { agentFile: file.toString() }) };
		};
		const entriesOf = async function* (key: string) {
			const of = serviceRunOfKey(key);
			yield* of ? serviceRuns.events(of, recordOfDetail(of, await serviceRuns.detail(of))) : journals.read(key);
		};
		const nodes = loadedOnce(async () => {
			const loaded = await import('../agents/nodeRuns/nodeCommands.ts');
			return new loaded.NodeCommands({
				runs: records,
				find: findRun,
				runsThere: async file => ((await isLinked(file)) ? () => drafts.chooseRun(file) : undefined),
				presenter,
				gateway: () => this.agentFiles.connection(),
				describe: describeAgent,
				fileOf,
				inspect: async key => (await this.inspectors()).show(key),
				entries: entriesOf,
			}).handlers;
		});
		const onNode = (id: WorkflowCommand) => async (argument: unknown) => (await nodes())[id]?.(argument);
		this.#handlers = {
			...inputCommands.handlers,
			...runFileCommands.handlers,
			...runCommands.handlers,
			...agentFileCommands.handlers,
			...new FormCommands(records, answers).handlers,
			'agentWorkbench.knowledge.reindex': () => reindexKnowledge(connections, this.agentFiles.connection()),
			'agentWorkbench.graph.open': async argument => (await this.graphs()).open(await agentDocument(argument)),
			'agentWorkbench.node.run': onNode('agentWorkbench.node.run'),
			'agentWorkbench.node.runFrom': onNode('agentWorkbench.node.runFrom'),
			'agentWorkbench.node.pin': onNode('agentWorkbench.node.pin'),
			'agentWorkbench.node.unpin': onNode('agentWorkbench.node.unpin'),
			'agentWorkbench.node.toggleBreakpoint': onNode('agentWorkbench.node.toggleBreakpoint'),
			'agentWorkbench.debug.start': async argument => (await this.debugging()).start(uriOf(argument)),
			'agentWorkbench.run.inspect': argument => this.#inspect(argument),
			'agentWorkbench.requestLog.open': async () => (await this.usage()).open('calls'),
			'agentWorkbench.usage.open': async () => (await this.usage()).open('usage'),
			'agentWorkbench.modelCache.clear': async () => (await this.usage()).clearCache(),
			'agentWorkbench.logs.open': async argument => (await this.logs()).open(argument),
			...Object.fromEntries(
				suiteCommands.map(id => [id, async (...asked: unknown[]) => (await this.testing()).handlers[id]?.(...asked)] as const),
			),
			'agentWorkbench.run.keepOpen': async () => (await this.inspectors()).keepOpen(),
		};
		control.resume();
	}

	execute(command: WorkflowCommand, argument: unknown, selected?: unknown): unknown {
		return this.#handlers[command]?.(argument, selected);
	}

	/** What is kept of a run for a question about it. */
	story(key: string): Promise<RunStory> {
		return runStory(this.#journals.read(key));
	}

	/** Which of these runs have a text ({@link runHasText}). */
	async find(records: readonly RunRecord[], text: string): Promise<ReadonlySet<string>> {
		const found = new Set<string>();
		for (const record of records) {
			if (await runHasText(record, this.#journals.read(record.key), text)) {
				found.add(record.key);
			}
		}
		return found;
	}

	/** Inspects the run that is meant, of this editor or of a service; else one of those that go on, or that wait, else the latest of this editor. */
	async #inspect(argument: unknown): Promise<void> {
		const key = keyOf(argument) ?? this.#keyOfServiceRun(argument) ?? (await this.#nearest())?.key;
		if (key !== undefined) {
			(await this.inspectors()).show(key);
		}
	}

	#nearest(): Promise<RunRecord | undefined> {
		const runs = this.#records.list();
		const inQuestion = [isActive, isPaused].map(kind => runs.filter(kind)).find(found => found.length > 1) ?? runs.slice(0, 1);
		const [only] = inQuestion.length === 1 ? inQuestion : [];
		const none = vscode.l10n.t('No runs yet. Open a run file and press Run.');
		return only ? Promise.resolve(only) : chooseRun(undefined, this.#records, run => inQuestion.includes(run), none);
	}

	/** A run of a service that was started here is kept in more detail than its service has it. */
	#keyOfServiceRun(argument: unknown): string | undefined {
		const of = serviceRunOf(argument);
		const own = of && this.#records.list({ connectionId: of.connectionId }).find(({ runId }) => runId === of.runId);
		return own?.key ?? (of && serviceRunKey(of));
	}
}

/** A fault of the text as the gateway tells its own: with its line. */
function faultWithLine(document: vscode.TextDocument, { offset, severity, message }: AgentFault): AgentFileFault {
	return { line: document.positionAt(offset).line + 1, path: '', severity, message };
}
