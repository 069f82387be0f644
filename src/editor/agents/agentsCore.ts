import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { createLazyLoader, type LoadedOnce } from '#base/timing/loadedOnce.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import { agentFileSelector } from '../platform/names.ts';
import type { RunFileIndex } from '../runs/files/runFileIndex.ts';
import { findAgentFileOfRun } from '../runs/following/agentFileOfRun.ts';
import type { AgentFilesOfRuns } from '../runs/following/agentFilesOfRuns.ts';
import type { RunsCore } from '../runs/runsCore.ts';
import { AgentEditing } from './editing/agentEditing.ts';
import { AgentFileCommands, openAgentDocument } from './files/agentFileCommands.ts';
import { AgentFileDiagnostics } from './files/agentFileDiagnostics.ts';
import { AgentFileLenses } from './files/agentFileLenses.ts';
import { AgentFiles } from './files/agentFiles.ts';
import { StoredAgentSecrets } from './files/agentSecrets.ts';
import { AgentWarnings } from './files/agentWarnings.ts';
import { InputCommands } from './files/inputCommands.ts';
import { isLinkedToApp } from './files/linkOfFile.ts';
import { reindexKnowledge } from './files/reindexKnowledge.ts';
import type { GraphPanels } from './graph/graphPanels.ts';
import { FailureMarks } from './lastRuns/failureMarks.ts';
import { LastValues } from './lastRuns/lastValues.ts';
import { NodeResults } from './lastRuns/nodeResults.ts';
import { ResultHints } from './lastRuns/resultHints.ts';
import { RunMarker } from './lastRuns/runMarker.ts';
import { NodeRuns, type NodeRunsParts } from './nodeRuns/nodeRuns.ts';
import { Pins, type PinsParts } from './nodeRuns/pins.ts';
import { resolveNode } from './nodeRuns/resolveNode.ts';
import { toggleBreakpoint } from './nodeRuns/toggleBreakpoint.ts';

interface AgentsCoreParts {
	readonly extensionPath: string;
	readonly secrets: vscode.SecretStorage;
	readonly connections: Connections;
	/** Returns the absolute paths of the agents folders. Returns none in an untrusted workspace. */
	readonly agentFolders: () => readonly string[];
	readonly runFiles: RunFileIndex;
	readonly runs: RunsCore;
	/** Fires when the code of a node in an agent file changes. */
	readonly codeChanged: vscode.EventEmitter<vscode.FileChangeEvent[]>;
	readonly log: vscode.LogOutputChannel;
}

/** The implementation of agent files, in a bundle chunk loaded with the first agent file or the first run of a built-in agent. */
export class AgentsCore extends DisposableBase implements AgentFilesOfRuns {
	readonly files: AgentFiles;
	readonly commands: AgentFileCommands;
	readonly lenses: AgentFileLenses;
	/** Loads completion, hovers and diagnostics, which read the schema on first use. */
	readonly editing: () => Promise<AgentEditing>;
	/** Loads the graphs' bundle chunk with the first graph. */
	readonly graphs: LoadedOnce<GraphPanels>;
	readonly handlers: CommandHandlers;
	readonly secrets: StoredAgentSecrets;
	/** Returns the agent file of a run, or `undefined` for runs of other services. */
	readonly findAgentFile: (record: RunRecord) => Promise<vscode.Uri | undefined>;
	readonly lastValues: LastValues;
	readonly #warnings: AgentWarnings;

	constructor({ extensionPath, secrets, connections, agentFolders, runFiles, runs, codeChanged, log }: AgentsCoreParts) {
		super();
		const { records, journals, presenter, targets, requests, reader } = runs;
		const inspectRun = (key: string) => runs.inspectRun(key);
		const files = this.register(new AgentFiles(connections, log));
		this.files = files;
		this.secrets = new StoredAgentSecrets(secrets, connections);
		this.#warnings = new AgentWarnings(files, connections);
		const findAgentFile = async (record: RunRecord) =>
			record.agentFile !== undefined || connections.get(record.connectionId)?.kind === 'built-in'
				? (await findAgentFileOfRun(record, agentFolders())).uri
				: undefined;
		this.findAgentFile = findAgentFile;
		const lastValues = new LastValues(records, journals, findAgentFile);
		this.lastValues = lastValues;
		this.editing = createLazyLoader(async () => {
			const editing = new AgentEditing(extensionPath, connections, lastValues, log);
			this.register(vscode.languages.setLanguageConfiguration('yaml', { onEnterRules: editing.enterRules }));
			return editing;
		});
		const readNodeTexts = async (file: vscode.TextDocument | string) => (await this.editing()).readNodeTexts(file);
		const results = this.register(new NodeResults());
		this.register(
			new RunMarker({
				records,
				journals,
				findAgentFile,
				readPublished: uri => files.readPublished(uri),
				readNodeTexts,
				results,
				log,
			}),
		);
		this.register(vscode.languages.registerInlayHintsProvider(agentFileSelector, new ResultHints(results, readNodeTexts)));
		this.register(new FailureMarks(records, readNodeTexts, log));
		this.register(new AgentFileDiagnostics({ files, editing: this.editing, connections, log }));
		this.lenses = this.register(
			new AgentFileLenses({
				files,
				connections,
				runs: records,
				agentFolders,
				read: async document => (await this.editing()).readings.readDocument(document),
			}),
		);
		this.commands = new AgentFileCommands({
			agentFiles: files,
			runFiles: runs.files,
			presenter,
			secrets: this.secrets,
			targets,
			runs: records,
			requests,
		});
		const describeAgent = (uri: vscode.Uri) => this.describe(uri);
		const getGateway = () => files.getConnection();
		this.graphs = createLazyLoader(async () => {
			const [loaded, editing] = await Promise.all([import('./graph/graphPanels.ts'), this.editing()]);
			return this.register(
				new loaded.GraphPanels(vscode.Uri.file(extensionPath), {
					runs: records,
					read: async key => (await runs.inspectors()).openRun(key),
					inspect: inspectRun,
					forms: {
						listFaults: document => editing.listFaults(document),
						listModels: () => editing.listModelNames(),
					},
					readings: editing.readings,
					codeChanged,
					agentFolders,
					runFiles,
					log,
				}),
			);
		});
		const handlers: CommandHandlers = {
			...this.commands.handlers,
			...new InputCommands({ connections, targets, getGateway, describe: describeAgent, loadForms: runs.inputForms }).handlers,
			...new NodeCommands({
				runs: records,
				find: key => reader.findRun(key),
				findDifyRunChooser: async file => ((await isLinkedToApp(file)) ? () => runs.drafts.chooseRun(file) : undefined),
				countKeptReplies: async ({ runId = '', agent, connectionId }) =>
					(await (await connections.getClient(connectionId)).getRun(runId, { model: agent })).kept_replies,
				readStart: record => requests.refillStart(record),
				presenter,
				getGateway,
				describe: describeAgent,
				findAgentFile,
				inspect: inspectRun,
				readEntries: key => reader.readEntries(key),
			}).handlers,
		};
		this.handlers = {
			...mapHandlers(handlers, handle => async argument => handle(await this.resolveArgument(argument))),
			'agentWorkbench.knowledge.reindex': () => reindexKnowledge(connections, getGateway()),
			'agentWorkbench.graph.open': async argument => (await this.graphs()).openGraph(await openAgentDocument(argument, true)),
		};
	}

	/** Returns the argument of a command. Without one, the command applies to the file and node of the graph, if that's the active editor. */
	async resolveArgument(argument: unknown): Promise<unknown> {
		return argument ?? (await this.graphs.loaded?.createCommandTarget());
	}

	/** Asks the user to accept the agent's warnings and to enter missing secrets, then sends the secrets to the gateway. */
	readonly prepare: PrepareAgent = async (connection, agent, file) => {
		await this.#warnings.confirmWarnings(connection, agent, file);
		await this.secrets.prepareSecrets(connection, agent, file);
	};

	readonly describe: AgentFilesOfRuns['describe'] = file => this.commands.describeAgent(file);

	readonly runDraftWith: AgentFilesOfRuns['runDraftWith'] = (...asked) => this.commands.runDraftWithInputs(...asked);

	readonly runDraftAgain: AgentFilesOfRuns['runDraftAgain'] = (...asked) => this.commands.rerunDraft(...asked);
}

type Handler = NonNullable<CommandHandlers[keyof CommandHandlers]>;

function mapHandlers(handlers: CommandHandlers, map: (handle: Handler) => Handler): CommandHandlers {
	return Object.fromEntries(Object.entries(handlers).map(([id, handle]) => [id, map(handle)]));
}

/** Implements the commands on nodes, which lenses, the inspector and the graph use. */
class NodeCommands {
	readonly handlers: CommandHandlers;

	constructor(parts: NodeRunsParts & PinsParts) {
		const runs = new NodeRuns(parts);
		const pins = new Pins(parts);
		this.handlers = {
			'agentWorkbench.node.run': argument => runs.runNode(argument),
			'agentWorkbench.node.forkFrom': argument => runs.forkFromNode(argument),
			'agentWorkbench.node.pin': argument => pins.pinOutputs(argument),
			'agentWorkbench.node.unpin': argument => pins.unpinOutputs(argument),
			'agentWorkbench.node.toggleBreakpoint': async argument =>
				toggleBreakpoint(await resolveNode(argument, parts.find, parts.findAgentFile)),
		};
	}
}
