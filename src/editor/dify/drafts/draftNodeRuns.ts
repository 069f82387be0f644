import * as vscode from 'vscode';
import { type GraphNode, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { getNodeRole } from '#agentFile/nodeKinds/nodeKinds.ts';
import { Problem } from '#base/problems.ts';
import { type RunValues, readRunValues } from '#runs/events/runValues.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { questionInput } from '../../runs/following/runServices.ts';
import { type DraftRunsParts, getConnectionOfApp, requireGraphApp } from './draftRuns.ts';
import { checkDraftSupport } from './refusedDraft.ts';
import { chooseManagedRun, readTraceEntries } from './runsThere.ts';
import { chooseTargetApp, type TargetApp } from './targetApp.ts';

/** *Run Node in Dify*: runs a single node of the draft on its deployment. */
export class DraftNodeRuns {
	readonly #parts: DraftRunsParts;

	constructor(parts: DraftRunsParts) {
		this.#parts = parts;
	}

	/** @param argument an app of the tree, an agent file's URI, or a node of an agent file */
	async run(argument: unknown): Promise<RunRecord | undefined> {
		const { connections, deployments, work } = this.#parts;
		const app = await chooseTargetApp(this.#parts, argument);
		if (!app) {
			return undefined;
		}
		requireGraphApp(app);
		const connection = getConnectionOfApp(connections, app);
		const management = await deployments.getManagement(app.connectionId);
		if (!(await checkDraftSupport(management, ['runNode'], app, connections))) {
			return undefined;
		}
		const { text } = await management.exportApp(app.id);
		const graph = readAgentGraph(new AgentText(text).content);
		const node = await chooseNode(graph.nodes, readNodeId(argument), app);
		const known = node && (await this.#chooseInitialValues(app));
		if (!node || !known) {
			return undefined;
		}
		const { askForNodeInputs: askNodeInputs } = await import('../../agents/nodeRuns/typedInputs.ts');
		const values = await askNodeInputs(text, graph, node, known);
		if (!values) {
			return undefined;
		}
		const { run, inspect } = await work();
		return run(
			connection,
			{ model: app.name, inputs: toNamedValues(values), response_mode: 'streaming', user: connection.user },
			{ deployment: { draft: { app: app.id, mode: app.mode, node: node.id }, agentFile: app.file?.toString() } },
			key => void inspect(key),
		);
	}

	/**
	 * Asks for an earlier run whose values are the initial values. The user can also choose none. Resolves to `undefined` if the user
	 * cancels.
	 */
	async #chooseInitialValues(app: TargetApp): Promise<RunValues | undefined> {
		const management = await this.#parts.deployments.getManagement(app.connectionId);
		if (!management.offers.has('runs') || !management.offers.has('runNodes')) {
			return {};
		}
		const ofRun = { label: vscode.l10n.t('Use values from a run in Dify…'), iconPath: new vscode.ThemeIcon('cloud') };
		const typed = { label: vscode.l10n.t('Enter values…'), iconPath: new vscode.ThemeIcon('edit') };
		const picked = await vscode.window.showQuickPick([ofRun, typed], { placeHolder: vscode.l10n.t('Select the inputs for the node') });
		if (picked !== ofRun) {
			return picked && {};
		}
		const run = await chooseManagedRun(management, app);
		return run && readRunValues(readTraceEntries(management, app, run.id));
	}
}

/** Returns the values by reference, as the API expects them. Skips the question to a chatflow, which is sent separately. */
function toNamedValues(values: RunValues): Record<string, unknown> {
	const named = Object.entries(values).flatMap(([owner, ofOwner]) =>
		Object.entries(ofOwner).map(([name, value]): [string, unknown] => [`#${owner}.${name}#`, value]),
	);
	const { [`#${questionInput}#`]: question, ...inputs } = Object.fromEntries(named);
	return { ...inputs, ...(question === undefined ? {} : { [questionInput]: question }) };
}

async function chooseNode(nodes: readonly GraphNode[], id: string | undefined, { name }: TargetApp): Promise<GraphNode | undefined> {
	if (id !== undefined) {
		const node = nodes.find(each => each.id === id);
		if (!node) {
			throw new Problem('no-node', vscode.l10n.t("The draft of '{0}' in Dify has no node '{1}'. Push the file first.", name, id));
		}
		return node;
	}
	const runnable = nodes.filter(({ type }) => type !== 'answer' && [undefined, 'container'].includes(getNodeRole(type)));
	const items = runnable.map(node => ({ label: node.title, description: node.type, node }));
	return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Select a node'), matchOnDescription: true }))?.node;
}

function readNodeId(argument: unknown): string | undefined {
	const { node } = (typeof argument === 'object' && argument !== null ? argument : {}) as { node?: unknown };
	return typeof node === 'string' ? node : undefined;
}
