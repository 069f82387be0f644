import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type AgentGraph, agentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';

/** The graphs of agent files as they stand in the editor, else on the disk: what run files say of nodes is checked against them. */
export class AgentNodes {
	/** The text that was read last of each file, and what it says: a keystroke in a run file reads no agent file again. */
	readonly #read = new Map<string, { readonly text: string; readonly graph: AgentGraph }>();

	/** The graph of a file; `undefined` where it cannot be read. */
	async of(file: string): Promise<AgentGraph | undefined> {
		const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file);
		const text = open?.getText() ?? (await readFile(file, 'utf8').catch(() => undefined));
		if (text === undefined) {
			return undefined;
		}
		const known = this.#read.get(file);
		if (known?.text === text) {
			return known.graph;
		}
		const read = new AgentText(text);
		const graph = agentGraph(read.content);
		if (read.error || graph.nodes.length === 0) {
			return undefined;
		}
		this.#read.set(file, { text, graph });
		return graph;
	}
}
