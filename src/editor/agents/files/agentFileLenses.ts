import * as vscode from 'vscode';
import { isInnerStart, isStart, readAgentGraph } from '#agentFile/agentGraph.ts';
import { findFailureLine } from '#agentFile/failureLine.ts';
import { hasPrompt } from '#agentFile/nodeKinds/nodeKinds.ts';
import type { AgentReading } from '#agentFile/reading/agentReading.ts';
import { DisposableBase } from '#base/disposables.ts';
import { isRunActive } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { isEditableScheme } from '../../platform/names.ts';
import { formatLastRun } from '../../platform/runWording.ts';
import { createUntrustedProblem, isWorkspaceTrusted, onDidGrantTrust } from '../../platform/trust.ts';
import { isRunOfFile } from '../graph/runsOfFile.ts';
import { type Failure, findFailedNodes } from '../lastRuns/failedNodes.ts';
import type { AgentFiles } from './agentFiles.ts';
import { createDifyLenses, DifyFiles } from './difyFiles.ts';
import { isAgentFile } from './isAgentFile.ts';
import { isLinkedToApp } from './linkOfFile.ts';

interface AgentFileLensesParts {
	readonly files: AgentFiles;
	readonly connections: Connections;
	readonly runs: Runs;
	readonly agentFolders: () => readonly string[];
	/** Returns the parsed document. */
	readonly read: (document: vscode.TextDocument) => Promise<AgentReading>;
}

/** Shows lenses in an agent file: to run, debug or publish it, to create a run file, for its published version, and for its app in Dify. */
export class AgentFileLenses extends DisposableBase implements vscode.CodeLensProvider {
	readonly #files: AgentFiles;
	readonly #findLastRun: (uri: vscode.Uri) => RunRecord | undefined;
	readonly #findFailures: (uri: vscode.Uri) => ReadonlyMap<string, Failure>;
	readonly #readDocument: (document: vscode.TextDocument) => Promise<AgentReading>;
	readonly #difyFiles = this.register(new DifyFiles());
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChangeCodeLenses = this.#changed.event;

	constructor({ files, connections, runs, agentFolders, read }: AgentFileLensesParts) {
		super();
		this.#files = files;
		this.#readDocument = read;
		this.#findLastRun = uri => runs.list().find(record => isRunOfFile(uri, record, agentFolders()));
		this.#findFailures = uri => findFailedNodes(runs.list(), uri.toString());
		const shown = new Map<string, string>();
		this.register(
			runs.onDidChange(({ key, status, marks }) => {
				// a run changes with each node, but the lenses only with its status, and when its failed nodes are known
				const state = marks ? `${status}, marked` : status;
				if (shown.get(key) !== state) {
					shown.set(key, state);
					this.#changed.fire();
				}
			}),
		);
		this.register(runs.onDidRemove(() => this.#changed.fire()));
		// the last run's lens says how long ago it was
		const ageing = setInterval(() => runs.list().length > 0 && this.#changed.fire(), 60_000);
		this.register({ dispose: () => clearInterval(ageing) });
		this.register(connections.onDidChange(() => this.#changed.fire()));
		this.register(connections.onDidChangeAgents(() => this.#changed.fire()));
		this.register(onDidGrantTrust(() => this.#changed.fire()));
		this.register(this.#difyFiles.onDidChange(() => this.#changed.fire()));
	}

	async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
		if (!isEditableScheme(document.uri.scheme) || !isAgentFile(document)) {
			return [];
		}
		const { uri } = document;
		if (!isWorkspaceTrusted()) {
			return [createUntrustedLens()];
		}
		const createLens = (title: string, command: string, tooltip: string) =>
			new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, tooltip, arguments: [uri] });
		const agent = await this.#files.findAgent(uri);
		const dify = (await isLinkedToApp(uri)) ? createDifyLenses(uri) : undefined;
		const lenses = [
			createLens(
				vscode.l10n.t('$(play) Run draft'),
				'agentWorkbench.agentFile.runDraft',
				vscode.l10n.t('Run this file, including unsaved changes'),
			),
			createLens(
				vscode.l10n.t('$(debug-alt) Debug'),
				'agentWorkbench.debug.start',
				vscode.l10n.t('Run this file, including unsaved changes, and stop at breakpoints (F5)'),
			),
			createLens(
				vscode.l10n.t('$(list-flat) Run with form…'),
				'agentWorkbench.agent.runForm',
				vscode.l10n.t('Fill in the inputs in a form and run the draft'),
			),
			createLens(
				vscode.l10n.t('$(cloud-upload) Publish'),
				'agentWorkbench.agentFile.publish',
				vscode.l10n.t('Save the file and use this version for all future runs of the agent'),
			),
			createLens(
				vscode.l10n.t('$(type-hierarchy) Graph'),
				'agentWorkbench.graph.open',
				vscode.l10n.t('Show the agent as a graph next to its text'),
			),
			// show the frequent commands of a linked app early, so that they are visible in narrow editors
			...(dify?.daily ?? []),
			createLens(
				vscode.l10n.t('New run file…'),
				'agentWorkbench.runFile.create',
				vscode.l10n.t('Create a run file with the inputs of this agent'),
			),
		];
		const last = this.#findLastRun(uri);
		if (last) {
			lenses.push(...(isRunActive(last) ? [createStopLens(last)] : []), createLastRunLens(last));
		}
		if (agent) {
			const changed = agent.draft || document.isDirty;
			const state = !agent.published
				? vscode.l10n.t('not published')
				: changed
					? vscode.l10n.t('changed since last published')
					: vscode.l10n.t('published');
			const tooltip = vscode.l10n.t('Compare with the published version');
			lenses.push(createLens(state, changed || !agent.published ? 'agentWorkbench.agentFile.showChanges' : '', tooltip));
		}
		return [
			...lenses,
			...(dify?.more ?? []),
			...(document.getText().length > longestText
				? []
				: createNodeLenses(document, await this.#readDocument(document), this.#findFailures(uri))),
		];
	}
}

/** Maximum length, in UTF-16 units, of texts whose nodes get lenses: each change sends all lenses to the editor. */
const longestText = 500_000;

function createNodeLenses(document: vscode.TextDocument, reading: AgentReading, failures: ReadonlyMap<string, Failure>): vscode.CodeLens[] {
	const { content, blocks } = reading;
	return readAgentGraph(content).nodes.flatMap(node => {
		const block = blocks[node.at];
		if (!block || isStart(node) || isInnerStart(node)) {
			return [];
		}
		const { line } = document.positionAt(block.start);
		const range = new vscode.Range(line, 0, line, 0);
		// an edited program can have fewer lines than the one that failed
		const last = document.positionAt(block.end).line;
		const given = [{ uri: document.uri, node: node.id }];
		const run = {
			title: vscode.l10n.t('Run node'),
			tooltip: vscode.l10n.t("Run only '{0}', with inputs from an earlier run or inputs that you enter", node.title),
			command: 'agentWorkbench.node.run',
			arguments: given,
		};
		const tryPrompt = {
			title: vscode.l10n.t('Try prompt'),
			tooltip: vscode.l10n.t("Change the prompt of '{0}' and compare the answers of several models", node.title),
			command: 'agentWorkbench.prompt.open',
			arguments: given,
		};
		const failure = failures.get(node.id);
		return [
			...[run, ...(hasPrompt(node.type) ? [tryPrompt] : [])].map(command => new vscode.CodeLens(range, command)),
			...(failure ? [createRunFromLens(failure, Math.min(findFailureLine(reading, node.id, failure.node.error) ?? line + 1, last))] : []),
		];
	});
}

/** Creates the lens that runs a failed node again, also after it was edited. `line` (from 1) is the line that failed. */
function createRunFromLens({ record: { key }, node: { id } }: Failure, line: number): vscode.CodeLens {
	return new vscode.CodeLens(new vscode.Range(line - 1, 0, line - 1, 0), {
		title: vscode.l10n.t('$(repo-forked) Fork from here…'),
		tooltip: vscode.l10n.t('Run this node and those after it again, with the values of the failed run or with changed ones'),
		command: 'agentWorkbench.node.forkFrom',
		arguments: [{ key, node: id }],
	});
}

function createStopLens({ key }: RunRecord): vscode.CodeLens {
	return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
		title: vscode.l10n.t('$(debug-stop) Stop'),
		command: 'agentWorkbench.run.stop',
		tooltip: vscode.l10n.t('Stop the run of this file'),
		arguments: [key],
	});
}

function createLastRunLens(record: RunRecord): vscode.CodeLens {
	return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
		title: formatLastRun(record),
		command: 'agentWorkbench.run.inspect',
		tooltip: vscode.l10n.t('Inspect this run'),
		arguments: [record.key],
	});
}

/** Creates the lens for untrusted workspaces, which replaces those that would run or publish the file. */
function createUntrustedLens(): vscode.CodeLens {
	const { message, remedy } = createUntrustedProblem();
	return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
		title: vscode.l10n.t('$(shield) Workspace not trusted'),
		command: remedy?.command ?? '',
		tooltip: message,
	});
}
