import * as vscode from 'vscode';
import { type AgentGraph, agentGraph, type GraphNode } from '#agentFile/agentGraph.ts';
import { AgentLines } from '#agentFile/agentLines.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { Problem } from '#base/problems.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { isAgentFile } from '../files/isAgentFile.ts';

/** A run by its key: one of this editor, or one of an app of a deployment whose file is here. */
export type FindRun = (key: string) => Promise<RunRecord | undefined>;

/** What a menu, a lens or a page says of the node that a command is about. Without any of it, the node at the cursor is meant. */
interface NodeArgument {
	readonly node: string;
	/** The agent file; else that of the run. */
	readonly uri?: vscode.Uri;
	/** Key of the run in which it is looked at. */
	readonly key?: string;
	/** Rounds of the containers around it in which it is looked at, from 0, from the outermost. */
	readonly rounds?: readonly number[];
}

/** A node of an agent file as the editor has it. */
export interface MeantNode {
	readonly document: vscode.TextDocument;
	readonly graph: AgentGraph;
	readonly node: GraphNode;
	/** IDs of the containers around it, from the outermost. */
	readonly containers: readonly GraphNode[];
	/** The run in which it is looked at. */
	readonly record: RunRecord | undefined;
	readonly rounds: readonly number[] | undefined;
}

/** The node that a command means. Rejects with a sentence where there is none. `fileOf`: the agent file of a run of the built-in gateway. */
export async function meantNode(
	argument: unknown,
	find: FindRun,
	fileOf: (record: RunRecord) => Promise<vscode.Uri | undefined>,
): Promise<MeantNode> {
	const { node: id, uri, key, rounds } = isNodeArgument(argument) ? argument : nodeAtCursor();
	const record = key === undefined ? undefined : await find(key);
	if (key !== undefined && !record) {
		throw new Problem('no-run', vscode.l10n.t('Only nodes of runs that were started in this editor can be run and pinned from here.'));
	}
	const file = uri ?? (record && (await fileOf(record)));
	if (!file) {
		const sentence = vscode.l10n.t('Only agents of the built-in gateway, whose files are here, have nodes that can be run and pinned.');
		throw new Problem('no-agent-file', sentence);
	}
	const document = await vscode.workspace.openTextDocument(file);
	const graph = agentGraph(new AgentText(document.getText()).content);
	const node = graph.nodes.find(each => each.id === id);
	if (!node) {
		throw new Problem('no-node', vscode.l10n.t('{0} has no node “{1}” any more.', vscode.workspace.asRelativePath(file), id));
	}
	return { document, graph, node, containers: containersOf(node, graph), record, rounds };
}

function containersOf({ parent }: GraphNode, graph: AgentGraph): readonly GraphNode[] {
	const containers: GraphNode[] = [];
	for (let id = parent; id !== undefined; ) {
		const container = graph.nodes.find(each => each.id === id);
		// a file can have containers inside each other
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

function nodeAtCursor(): NodeArgument {
	const editor = vscode.window.activeTextEditor;
	const node =
		editor && isAgentFile(editor.document) ? new AgentLines(editor.document.getText()).at(editor.selection.active.line + 1) : undefined;
	if (!editor || !node) {
		throw new Problem('no-node', vscode.l10n.t('Put the cursor into a node of an agent file first.'));
	}
	return { node: node.id, uri: editor.document.uri };
}
