import path from 'node:path';
import * as vscode from 'vscode';
import type { RunRecord } from '#runs/runTypes.ts';
import { isWorkspaceTrusted } from '../../platform/trust.ts';

/** An agent file, or a message that says why there is none. */
type AgentFileOfRun = { readonly uri: vscode.Uri; readonly why?: undefined } | { readonly uri?: undefined; readonly why: string };

/** Extensions of agent files. If a folder has both, the built-in gateway prefers the first. */
const endings = ['.yaml', '.yml'];

/**
 * Finds the agent file of a run. For a draft, this is the file that was run. Otherwise it is the file with the agent's name in an agents
 * folder.
 * `folders` contains the absolute paths of the agents folders, and none in an untrusted workspace.
 */
export async function findAgentFileOfRun({ agent, agentFile }: RunRecord, folders: readonly string[]): Promise<AgentFileOfRun> {
	if (agentFile !== undefined) {
		const uri = vscode.Uri.parse(agentFile);
		return (await isExistingFile(uri))
			? { uri }
			: { why: vscode.l10n.t("The agent file '{0}' no longer exists.", vscode.workspace.asRelativePath(uri)) };
	}
	// a name must not lead out of the folder
	const isName = path.basename(agent) === agent && !agent.includes('\\');
	for (const folder of isName ? folders : []) {
		for (const ending of endings) {
			const uri = vscode.Uri.file(path.join(folder, agent + ending));
			if (await isExistingFile(uri)) {
				return { uri };
			}
		}
	}
	return { why: explainMissingFile(agent, folders) };
}

async function isExistingFile(uri: vscode.Uri): Promise<boolean> {
	try {
		return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
	} catch {
		return false;
	}
}

function explainMissingFile(agent: string, folders: readonly string[]): string {
	if (!isWorkspaceTrusted()) {
		return vscode.l10n.t('Agent files are only read in trusted workspaces.');
	}
	return folders.length === 0
		? vscode.l10n.t("This workspace has no agents folder. Check the setting 'agentWorkbench.gateway.agentFolders'.")
		: vscode.l10n.t({
				message: "No agent file '{0}.yml' in {1}.",
				args: [agent, folders.map(folder => vscode.workspace.asRelativePath(folder)).join(', ')],
				comment: ['{1} is a list of folders'],
			});
}
