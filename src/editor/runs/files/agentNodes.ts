import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type AgentGraph, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';

/** Caches the graphs of agent files, including unsaved edits. Nodes in run files are checked against these graphs. */
export class AgentNodes {
	/** The last text of each file and its graph, so that typing in a run file doesn't parse the agent file again. */
	readonly #read = new Map<string, { readonly text: string; readonly graph: AgentGraph }>();

	/** Reads the graph of a file. Returns `undefined` if the file can't be read. */
	async readGraph(file: string): Promise<AgentGraph | undefined> {
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
		const graph = readAgentGraph(read.content);
		if (read.error || graph.nodes.length === 0) {
			return undefined;
		}
		this.#read.set(file, { text, graph });
		return graph;
	}
}
