import * as vscode from 'vscode';
import { agentGraph, type GraphNode } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { messageOf } from '#base/problems.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { findAgentFileOfRun } from '../following/agentFileOfRun.ts';

/** A sentence that says why there is no graph. */
export interface NoGraph {
	readonly why: string;
}

/** An agent file; `file` is its path in the workspace. */
interface GraphPlace {
	readonly file: string;
	readonly uri: vscode.Uri;
}

/** A node in its agent file. */
export interface NodeInFile {
	readonly uri: vscode.Uri;
	/** From 1. */
	readonly line: number;
}

/** Shows the agent files of runs as graphs. */
export class RunGraphs {
	readonly #folders: () => readonly string[];
	/** The nodes of the file that was read last: each row that is looked at asks for one. */
	#read: { readonly text: string; readonly nodes: readonly GraphNode[] } | undefined;

	/** `folders`: absolute paths of the agents folders; none in a workspace that is not trusted. */
	constructor(folders: () => readonly string[]) {
		this.#folders = folders;
	}

	/** The agent file of a run. */
	async findFile(record: RunRecord): Promise<GraphPlace | NoGraph> {
		const { uri, why } = await findAgentFileOfRun(record, this.#folders());
		return uri ? { uri, file: vscode.workspace.asRelativePath(uri) } : { why: vscode.l10n.t('No graph: {0}', why) };
	}

	/** Where a node stands in the agent file of a run. */
	async findNode(record: RunRecord, node: string): Promise<NodeInFile | NoGraph> {
		const place = await this.findFile(record);
		if ('why' in place) {
			return place;
		}
		const { uri, file } = place;
		const document = await vscode.workspace.openTextDocument(uri);
		const { findNodeLine } = await import('#pages/graph/picture/agentPicture.ts');
		const line = findNodeLine(document.getText(), node);
		return line === undefined ? { why: vscode.l10n.t('{0} has no node {1}: it changed since the run.', file, node) } : { uri, line };
	}

	/** What the graph that ran (`ran`), else the agent file of a run, says of a node (`data`), unsaved edits of a draft included; `undefined` where it does not. */
	async readNodeData(record: RunRecord, node: string, ran: unknown): Promise<unknown> {
		if (ran) {
			return agentGraph({ workflow: { graph: ran } }).nodes.find(({ id }) => id === node)?.data;
		}
		const place = await this.findFile(record);
		if ('why' in place) {
			return undefined;
		}
		const text = await readFileText(place, record);
		if (this.#read?.text !== text) {
			this.#read = { text, nodes: agentGraph(new AgentText(text).content).nodes };
		}
		return this.#read.nodes.find(({ id }) => id === node)?.data;
	}

	/** A graph as its service has it. */
	async toPicture(graph: unknown): Promise<{ readonly graph: AgentPicture } | NoGraph> {
		try {
			const { parseAgentPicture } = await import('#pages/graph/picture/agentPicture.ts');
			// JSON is YAML: the one way in reads it
			const picture = parseAgentPicture(JSON.stringify({ kind: 'app', app: { mode: 'workflow' }, workflow: { graph } }));
			return picture ? { graph: picture } : { why: vscode.l10n.t('No graph: the deployment tells of none.') };
		} catch (error) {
			return { why: vscode.l10n.t('No graph: what the deployment tells of it cannot be read: {0}', messageOf(error)) };
		}
	}

	/** Reads the graph, unsaved edits of a draft included. */
	async readPicture(place: GraphPlace, record: RunRecord): Promise<{ readonly graph: AgentPicture } | NoGraph> {
		const { file } = place;
		try {
			const text = await readFileText(place, record);
			const { parseAgentPicture } = await import('#pages/graph/picture/agentPicture.ts');
			const graph = parseAgentPicture(text);
			return graph ? { graph } : { why: vscode.l10n.t('No graph: {0} has no workflow.', file) };
		} catch (error) {
			return { why: vscode.l10n.t('No graph: {0} cannot be read: {1}', file, messageOf(error)) };
		}
	}
}

/** Text of the file; that of a draft as it stands in the editor. */
async function readFileText({ uri }: GraphPlace, { agentFile }: RunRecord): Promise<string> {
	const open = agentFile && vscode.workspace.textDocuments.find(document => document.uri.toString() === agentFile);
	return open ? open.getText() : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
