import * as vscode from 'vscode';
import { type GraphNode, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { findFailureLine } from '#agentFile/failureLine.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { getErrorMessage } from '#base/problems.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { findAgentFileOfRun } from '../following/agentFileOfRun.ts';

/** A message that says why there is no graph. */
export interface NoGraph {
	readonly why: string;
}

/** An agent file. `file` is its path in the workspace. */
interface GraphPlace {
	readonly file: string;
	readonly uri: vscode.Uri;
}

/** A node in its agent file. */
export interface NodeInFile {
	readonly uri: vscode.Uri;
	/** Starts at 1. */
	readonly line: number;
}

/** Finds and reads the graphs of runs. */
export class RunGraphs {
	readonly #folders: () => readonly string[];
	/** Caches the nodes of the last file, because each inspected row needs one of them. */
	#read: { readonly text: string; readonly nodes: readonly GraphNode[] } | undefined;

	/** `folders` returns the absolute paths of the agents folders, or none in an untrusted workspace. */
	constructor(folders: () => readonly string[]) {
		this.#folders = folders;
	}

	/** Finds the agent file of a run. */
	async findAgentFile(record: RunRecord): Promise<GraphPlace | NoGraph> {
		const { uri, why } = await findAgentFileOfRun(record, this.#folders());
		return uri ? { uri, file: vscode.workspace.asRelativePath(uri) } : { why: vscode.l10n.t('No graph available. {0}', why) };
	}

	/** Finds a node in the agent file of a run, or the line at which it failed if its error names one. */
	async findNode(record: RunRecord, node: string, error = ''): Promise<NodeInFile | NoGraph> {
		const place = await this.findAgentFile(record);
		if ('why' in place) {
			return place;
		}
		const { uri, file } = place;
		const document = await vscode.workspace.openTextDocument(uri);
		const { findNodeLine } = await import('#pages/graph/picture/agentPicture.ts');
		const text = document.getText();
		const line = findFailureLine(new AgentReading(text), node, error) ?? findNodeLine(text, node);
		return line === undefined
			? { why: vscode.l10n.t("'{0}' has no node '{1}'. The file has changed since the run.", file, node) }
			: { uri, line };
	}

	/**
	 * Returns the `data` of a node from the executed graph `ran`, or else from the run's agent file. For a draft, includes the file's unsaved
	 * edits.
	 */
	async readNodeData(record: RunRecord, node: string, ran: unknown): Promise<unknown> {
		if (ran) {
			return readAgentGraph({ workflow: { graph: ran } }).nodes.find(({ id }) => id === node)?.data;
		}
		const place = await this.findAgentFile(record);
		if ('why' in place) {
			return undefined;
		}
		const text = await readFileText(place, record);
		if (this.#read?.text !== text) {
			this.#read = { text, nodes: readAgentGraph(new AgentText(text).content).nodes };
		}
		return this.#read.nodes.find(({ id }) => id === node)?.data;
	}

	/** Converts an executed graph of a service to a picture. */
	async toAgentPicture(graph: unknown): Promise<{ readonly graph: AgentPicture } | NoGraph> {
		try {
			const { parseAgentPicture } = await import('#pages/graph/picture/agentPicture.ts');
			// the parser for agent files reads YAML, of which JSON is a subset
			const picture = parseAgentPicture(JSON.stringify({ kind: 'app', app: { mode: 'workflow' }, workflow: { graph } }));
			return picture ? { graph: picture } : { why: vscode.l10n.t("No graph available. The Dify server didn't send one.") };
		} catch (error) {
			return { why: vscode.l10n.t("No graph available. Couldn't read the graph from the Dify server: {0}", getErrorMessage(error)) };
		}
	}

	/** Reads the graph from a file. For a draft, includes unsaved edits. */
	async readPicture(place: GraphPlace, record: RunRecord): Promise<{ readonly graph: AgentPicture } | NoGraph> {
		const { file } = place;
		try {
			const text = await readFileText(place, record);
			const { parseAgentPicture } = await import('#pages/graph/picture/agentPicture.ts');
			const graph = parseAgentPicture(text);
			return graph ? { graph } : { why: vscode.l10n.t("No graph available. '{0}' has no workflow.", file) };
		} catch (error) {
			return { why: vscode.l10n.t("No graph available. Couldn't read '{0}': {1}", file, getErrorMessage(error)) };
		}
	}
}

/** Reads the text of the file. For a draft, includes unsaved edits. */
async function readFileText({ uri }: GraphPlace, { agentFile }: RunRecord): Promise<string> {
	const open = agentFile && vscode.workspace.textDocuments.find(document => document.uri.toString() === agentFile);
	return open ? open.getText() : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
