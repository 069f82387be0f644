import * as vscode from 'vscode';
import { agentGraph, type GraphNode } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { roleOf } from '#agentFile/nodeKinds/nodeKinds.ts';
import { Problem } from '#base/problems.ts';
import { type RunValues, runValues } from '#runs/events/runValues.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { questionInput } from '../../runs/following/runServices.ts';
import { connectionOf, type DraftRunsParts, requireGraph } from './draftRuns.ts';
import { type MeantApp, meantApp } from './meantApp.ts';
import { offersDraft } from './refusedDraft.ts';
import { chooseRunThere, entriesOf } from './runsThere.ts';

/** *Run Node in Dify*: one node of a draft alone, as it stands on its deployment. */
export class DraftNodeRuns {
	readonly #parts: DraftRunsParts;

	constructor(parts: DraftRunsParts) {
		this.#parts = parts;
	}

	/** `argument`: an app of the tree, an agent file's URI, or a node of one. */
	async run(argument: unknown): Promise<RunRecord | undefined> {
		const { connections, deployments, work } = this.#parts;
		const app = await meantApp(this.#parts, argument);
		if (!app) {
			return undefined;
		}
		requireGraph(app);
		const connection = connectionOf(connections, app);
		const management = await deployments.management(app.connectionId);
		if (!(await offersDraft(management, ['runNode'], vscode.l10n.t('Single nodes run there'), app, connections))) {
			return undefined;
		}
		const { text } = await management.exportApp(app.id);
		const graph = agentGraph(new AgentText(text).content);
		const node = await chooseNode(graph.nodes, nodeOf(argument), app);
		const known = node && (await this.#known(app));
		if (!node || !known) {
			return undefined;
		}
		const { askNodeInputs } = await import('../../agents/nodeRuns/typedInputs.ts');
		const values = await askNodeInputs(text, graph, node, known);
		if (!values) {
			return undefined;
		}
		const { run, inspect } = await work();
		return run(
			connection,
			{ model: app.name, inputs: namedValues(values), response_mode: 'streaming', user: connection.user },
			{ deployment: { draft: { app: app.id, mode: app.mode, node: node.id }, agentFile: app.file?.toString() } },
			key => void inspect(key),
		);
	}

	/** Values to begin with: those of a run there, or none, so that all are typed; `undefined` where the user backs out. */
	async #known(app: MeantApp): Promise<RunValues | undefined> {
		const management = await this.#parts.deployments.management(app.connectionId);
		if (!management.offers.has('runs') || !management.offers.has('runNodes')) {
			return {};
		}
		const ofRun = { label: vscode.l10n.t('Values of a run in Dify…'), iconPath: new vscode.ThemeIcon('cloud') };
		const typed = { label: vscode.l10n.t('Type the inputs…'), iconPath: new vscode.ThemeIcon('edit') };
		const picked = await vscode.window.showQuickPick([ofRun, typed], { placeHolder: vscode.l10n.t('What the node is given') });
		if (picked !== ofRun) {
			return picked && {};
		}
		const run = await chooseRunThere(management, app);
		return run && runValues(entriesOf(management, app, run.id));
	}
}

/** Values as the surface names them: by the reference that a node has to each. The question to a chatflow goes by itself. */
function namedValues(values: RunValues): Record<string, unknown> {
	const named = Object.entries(values).flatMap(([owner, ofOwner]) =>
		Object.entries(ofOwner).map(([name, value]): [string, unknown] => [`#${owner}.${name}#`, value]),
	);
	const { [`#${questionInput}#`]: question, ...inputs } = Object.fromEntries(named);
	return { ...inputs, ...(question === undefined ? {} : { [questionInput]: question }) };
}

async function chooseNode(nodes: readonly GraphNode[], id: string | undefined, { name }: MeantApp): Promise<GraphNode | undefined> {
	if (id !== undefined) {
		const node = nodes.find(each => each.id === id);
		if (!node) {
			throw new Problem('no-node', vscode.l10n.t('The draft of “{0}” in Dify has no node “{1}”: push the file first.', name, id));
		}
		return node;
	}
	const runnable = nodes.filter(({ type }) => type !== 'answer' && [undefined, 'container'].includes(roleOf(type)));
	const items = runnable.map(node => ({ label: node.title, description: node.type, node }));
	return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Node'), matchOnDescription: true }))?.node;
}

function nodeOf(argument: unknown): string | undefined {
	const { node } = (typeof argument === 'object' && argument !== null ? argument : {}) as { node?: unknown };
	return typeof node === 'string' ? node : undefined;
}
