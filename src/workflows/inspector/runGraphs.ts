import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../common/problems.ts';
import type { RunRecord } from '../runTypes.ts';
import type { AgentGraph } from './graphTypes.ts';

/** A sentence that says why there is no graph. */
export interface NoGraph {
	readonly why: string;
}

/** An agent file; `file` is its path in the workspace. */
export interface GraphPlace {
	readonly file: string;
	readonly uri: vscode.Uri;
}

/** Endings of agent files, in the order in which the built-in gateway takes them where a folder has both. */
const endings = ['.yaml', '.yml'];

/** Finds the agent files of runs, to show them as graphs: a draft's is the file that was run, any other lies in an agents folder, by the agent's name. */
export class RunGraphs {
	readonly #folders: () => readonly string[];

	/** `folders`: absolute paths of the agents folders; none in a workspace that is not trusted. */
	constructor(folders: () => readonly string[]) {
		this.#folders = folders;
	}

	/** The agent file of a run. */
	async place({ agent, agentFile }: RunRecord): Promise<GraphPlace | NoGraph> {
		if (agentFile !== undefined) {
			const uri = vscode.Uri.parse(agentFile);
			return (await isFile(uri))
				? placeOf(uri)
				: { why: vscode.l10n.t('No graph: the agent file that was run, {0}, is no longer there.', vscode.workspace.asRelativePath(uri)) };
		}
		const folders = this.#folders();
		// a name is a part of a path only where it cannot lead out of the folder
		const isName = path.basename(agent) === agent && !agent.includes('\\');
		for (const folder of isName ? folders : []) {
			for (const ending of endings) {
				const uri = vscode.Uri.file(path.join(folder, agent + ending));
				if (await isFile(uri)) {
					return placeOf(uri);
				}
			}
		}
		return { why: whyNone(agent, folders) };
	}

	/** Reads the graph, unsaved edits of a draft included. */
	async read({ uri, file }: GraphPlace, { agentFile }: RunRecord): Promise<{ readonly graph: AgentGraph } | NoGraph> {
		try {
			const open = agentFile && vscode.workspace.textDocuments.find(document => document.uri.toString() === agentFile);
			const text = open ? open.getText() : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
			const { agentGraph } = await import('./agentGraph.ts');
			const graph = agentGraph(text);
			return graph ? { graph } : { why: vscode.l10n.t('No graph: {0} has no workflow.', file) };
		} catch (error) {
			return { why: vscode.l10n.t('No graph: {0} cannot be read: {1}', file, messageOf(error)) };
		}
	}
}

function placeOf(uri: vscode.Uri): GraphPlace {
	return { uri, file: vscode.workspace.asRelativePath(uri) };
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
	try {
		return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
	} catch {
		return false;
	}
}

function whyNone(agent: string, folders: readonly string[]): string {
	if (!vscode.workspace.isTrusted) {
		return vscode.l10n.t('No graph: agent files are read in trusted workspaces only.');
	}
	return folders.length === 0
		? vscode.l10n.t('No graph: this workspace has no agents folder (setting “agentWorkbench.gateway.agentFolders”).')
		: vscode.l10n.t(
				'No graph: no agent file {0}.yml in {1}.',
				agent,
				folders.map(folder => vscode.workspace.asRelativePath(folder)).join(', '),
			);
}
