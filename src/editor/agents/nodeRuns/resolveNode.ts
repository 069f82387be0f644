import * as vscode from 'vscode';
import { type AgentGraph, type GraphNode, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentLines } from '#agentFile/agentLines.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { Problem } from '#base/problems.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { isAgentFile } from '../files/isAgentFile.ts';

/** Finds a run by key, including runs on a Dify deployment if its app is linked to an agent file. */
export type FindRun = (key: string) => Promise<RunRecord | undefined>;

/** Argument of node commands from menus, lenses and pages. Without an argument, commands use the node at the cursor. */
interface NodeArgument {
	readonly node: string;
	/** The agent file. Defaults to the agent file of the run. */
	readonly uri?: vscode.Uri;
	/** Key of the run in which the node is shown. */
	readonly key?: string;
	/** Index of the shown iteration of each container around the node, outermost first. */
	readonly rounds?: readonly number[];
}

/** The target of a node command: a node in the current text of an agent file. */
export interface ResolvedNode {
	readonly document: vscode.TextDocument;
	readonly graph: AgentGraph;
	readonly node: GraphNode;
	/** The containers around the node, outermost first. */
	readonly containers: readonly GraphNode[];
	/** The run in which the node is shown. */
	readonly record: RunRecord | undefined;
	readonly rounds: readonly number[] | undefined;
}

/**
 * Resolves the target of a node command. Rejects if there is none. `findAgentFile` returns the agent file of a run of the built-in gateway.
 */
export async function resolveNode(
	argument: unknown,
	find: FindRun,
	findAgentFile: (record: RunRecord) => Promise<vscode.Uri | undefined>,
): Promise<ResolvedNode> {
	const { node: id, uri, key, rounds } = isNodeArgument(argument) ? argument : getNodeAtCursor();
	const record = key === undefined ? undefined : await find(key);
	if (key !== undefined && !record) {
		throw new Problem('no-run', vscode.l10n.t('Nodes can only be run or pinned from runs that were started in this editor.'));
	}
	const file = uri ?? (record && (await findAgentFile(record)));
	if (!file) {
		const message = vscode.l10n.t('Only nodes of agents on the built-in gateway can be run or pinned.');
		throw new Problem('no-agent-file', message);
	}
	const document = await vscode.workspace.openTextDocument(file);
	const graph = readAgentGraph(new AgentText(document.getText()).content);
	const node = graph.nodes.find(each => each.id === id);
	if (!node) {
		throw new Problem('no-node', vscode.l10n.t("The node '{0}' no longer exists in '{1}'.", id, vscode.workspace.asRelativePath(file)));
	}
	return { document, graph, node, containers: listContainers(node, graph), record, rounds };
}

function listContainers({ parent }: GraphNode, graph: AgentGraph): readonly GraphNode[] {
	const containers: GraphNode[] = [];
	for (let id = parent; id !== undefined; ) {
		const container = graph.nodes.find(each => each.id === id);
		// in an invalid file, containers may contain each other
		id = container && !containers.includes(container) ? container.parent : undefined;
		if (container) {
			containers.unshift(container);
		}
	}
	return containers;
}

function isNodeArgument(argument: unknown): argument is NodeArgument {
	return typeof argument === 'object' && argument !== null && 'node' in argument && typeof argument.node === 'string';
}

function getNodeAtCursor(): NodeArgument {
	const editor = vscode.window.activeTextEditor;
	const node =
		editor && isAgentFile(editor.document)
			? new AgentLines(editor.document.getText()).findNodeAtLine(editor.selection.active.line + 1)
			: undefined;
	if (!editor || !node) {
		throw new Problem('no-node', vscode.l10n.t('Open an agent file and place the cursor in one of its nodes first.'));
	}
	return { node: node.id, uri: editor.document.uri };
}
