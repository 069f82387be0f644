import path from 'node:path';
import * as vscode from 'vscode';
import type { RunRecord } from '#runs/runTypes.ts';
import { isTrusted } from '../../platform/trust.ts';

/** An agent file, or a sentence that says why there is none. */
type AgentFileOfRun = { readonly uri: vscode.Uri; readonly why?: undefined } | { readonly uri?: undefined; readonly why: string };

/** Endings of agent files, in the order in which the built-in gateway takes them where a folder has both. */
const endings = ['.yaml', '.yml'];

/**
 * The agent file of a run: a draft's is the file that was run, any other lies in an agents folder, by the agent's name. `folders`: absolute paths of the
 * agents folders; none in a workspace that is not trusted.
 */
export async function agentFileOfRun({ agent, agentFile }: RunRecord, folders: readonly string[]): Promise<AgentFileOfRun> {
	if (agentFile !== undefined) {
		const uri = vscode.Uri.parse(agentFile);
		return (await isFile(uri))
			? { uri }
			: { why: vscode.l10n.t('the agent file that was run, {0}, is no longer there.', vscode.workspace.asRelativePath(uri)) };
	}
	// a name is a part of a path only where it cannot lead out of the folder
	const isName = path.basename(agent) === agent && !agent.includes('\\');
	for (const folder of isName ? folders : []) {
		for (const ending of endings) {
			const uri = vscode.Uri.file(path.join(folder, agent + ending));
			if (await isFile(uri)) {
				return { uri };
			}
		}
	}
	return { why: whyNone(agent, folders) };
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
	try {
		return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
	} catch {
		return false;
	}
}

function whyNone(agent: string, folders: readonly string[]): string {
	if (!isTrusted()) {
		return vscode.l10n.t('agent files are read in trusted workspaces only.');
	}
	return folders.length === 0
		? vscode.l10n.t('this workspace has no agents folder (setting “agentWorkbench.gateway.agentFolders”).')
		: vscode.l10n.t('no agent file {0}.yml in {1}.', agent, folders.map(folder => vscode.workspace.asRelativePath(folder)).join(', '));
}
