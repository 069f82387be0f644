import * as vscode from 'vscode';
import { agentGraph, isInnerStart, isStart } from '#agentFile/agentGraph.ts';
import type { AgentReading } from '#agentFile/reading/agentReading.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { isEditedScheme } from '../../platform/names.ts';
import { isTrusted, onDidGrantTrust, untrustedWorkspace } from '../../platform/trust.ts';
import type { AgentFiles } from './agentFiles.ts';
import { DifyFiles, difyLenses } from './difyFiles.ts';
import { isAgentFile } from './isAgentFile.ts';
import { isLinked } from './linkOfFile.ts';

/** Above an agent file: run it as it stands, publish it, make a run file for it, whether what it says is published, and the way to the app that it is of. */
export class AgentFileLenses extends DisposableBase implements vscode.CodeLensProvider {
	readonly #files: AgentFiles;
	readonly #read: (document: vscode.TextDocument) => Promise<AgentReading>;
	readonly #difyFiles = this.own(new DifyFiles());
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChangeCodeLenses = this.#changed.event;

	/** @param read what stands in a document: what others read of it too */
	constructor(files: AgentFiles, connections: Connections, read: (document: vscode.TextDocument) => Promise<AgentReading>) {
		super();
		this.#files = files;
		this.#read = read;
		this.own(connections.onDidChange(() => this.#changed.fire()));
		this.own(connections.onDidChangeAgents(() => this.#changed.fire()));
		this.own(onDidGrantTrust(() => this.#changed.fire()));
		this.own(this.#difyFiles.onDidChange(() => this.#changed.fire()));
	}

	async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
		if (!isEditedScheme(document.uri.scheme) || !isAgentFile(document)) {
			return [];
		}
		const { uri } = document;
		if (!isTrusted()) {
			return [untrustedLens()];
		}
		const lens = (title: string, command: string, tooltip: string) =>
			new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, tooltip, arguments: [uri] });
		const agent = await this.#files.agentOf(uri);
		const dify = (await isLinked(uri)) ? difyLenses(uri) : undefined;
		const lenses = [
			lens(
				`$(play) ${vscode.l10n.t('Run draft')}`,
				'agentWorkbench.agentFile.runDraft',
				vscode.l10n.t('Run the agent as this file says it now, saved or not, published or not'),
			),
			lens(
				`$(debug-alt) ${vscode.l10n.t('Debug')}`,
				'agentWorkbench.debug.start',
				vscode.l10n.t('Run the agent as this file says it now, and stop at breakpoints (F5)'),
			),
			lens(
				`$(list-flat) ${vscode.l10n.t('Run with form…')}`,
				'agentWorkbench.agent.runForm',
				vscode.l10n.t('Fill in the inputs of the start node in a form, and run the draft with them'),
			),
			lens(
				`$(cloud-upload) ${vscode.l10n.t('Publish')}`,
				'agentWorkbench.agentFile.publish',
				vscode.l10n.t('Save the file and let runs of this agent use it from now on'),
			),
			lens(
				`$(type-hierarchy) ${vscode.l10n.t('Graph')}`,
				'agentWorkbench.graph.open',
				vscode.l10n.t('Show the agent as a graph beside its text'),
			),
			// where the file is of an app, its daily commands are in sight at any width
			...(dify?.daily ?? []),
			lens(
				vscode.l10n.t('New run file…'),
				'agentWorkbench.runFile.create',
				vscode.l10n.t('Make a run file with the variables of the start node'),
			),
		];
		if (agent) {
			const changed = agent.draft || document.isDirty;
			const state = !agent.published
				? vscode.l10n.t('not published')
				: changed
					? vscode.l10n.t('changed since published')
					: vscode.l10n.t('published');
			const tooltip = vscode.l10n.t('Compare with the published version');
			lenses.push(lens(state, changed || !agent.published ? 'agentWorkbench.agentFile.showChanges' : '', tooltip));
		}
		return [
			...lenses,
			...(dify?.more ?? []),
			...(document.getText().length > longestText ? [] : nodeLenses(document, await this.#read(document))),
		];
	}
}

/** Longest text, in UTF-16 units, whose nodes have lenses: all of them go to the editor with each change. */
const longestText = 500_000;

/** Above each node: run it alone. */
function nodeLenses(document: vscode.TextDocument, { content, blocks }: AgentReading): vscode.CodeLens[] {
	return agentGraph(content).nodes.flatMap(node => {
		const block = blocks[node.at];
		if (!block || isStart(node) || isInnerStart(node)) {
			return [];
		}
		const { line } = document.positionAt(block.start);
		const command = {
			title: vscode.l10n.t('Run node'),
			tooltip: vscode.l10n.t('Run “{0}” alone, with the inputs it had in a run or with typed ones', node.title),
			command: 'agentWorkbench.node.run',
			arguments: [{ uri: document.uri, node: node.id }],
		};
		return [new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command)];
	});
}

/** In the place of what would run the file or publish it. */
function untrustedLens(): vscode.CodeLens {
	const { message, remedy } = untrustedWorkspace();
	return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
		title: `$(shield) ${vscode.l10n.t('Not trusted yet')}`,
		command: remedy?.command ?? '',
		tooltip: message,
	});
}
