import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '../common/problems.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { AgentSummary } from '../protocol/agents.ts';
import type { WorkflowRunRequest } from '../protocol/workflows.ts';
import { placeholderOf } from './inputPlaceholder.ts';

/** Makes a run file for an agent, with a value for each of its start variables, in the folder `runs` of the workspace, and opens it. */
export async function createRunFile(agent: AgentSummary): Promise<vscode.Uri> {
	const beside = agent.file ? vscode.workspace.getWorkspaceFolder(vscode.Uri.file(agent.file)) : undefined;
	const body = {
		model: agent.name,
		inputs: Object.fromEntries(agent.variables.map(variable => [variable.variable, placeholderOf(variable)])),
		response_mode: 'streaming',
	};
	const uri = await freeName(runsFolder(beside), agent.name);
	await write(uri, body);
	return uri;
}

/** Asks where to save the request of a past run as a run file, and opens it. */
export async function saveAsRunFile(request: WorkflowRunRequest): Promise<vscode.Uri | undefined> {
	const uri = await vscode.window.showSaveDialog({
		defaultUri: await freeName(runsFolder(undefined), request.model),
		filters: { [vscode.l10n.t('Run files')]: ['run.json'] },
		title: vscode.l10n.t('Save as run file'),
	});
	if (!uri) {
		return undefined;
	}
	const named = uri.path.endsWith('.run.json') ? uri : uri.with({ path: `${uri.path.replace(/\.json$/, '')}.run.json` });
	await write(named, request);
	return named;
}

/** Asks for an agent of a connection. */
export async function pickAgent(connections: Connections): Promise<AgentSummary | undefined> {
	const connection = connections.default();
	const agents = connections.agents(connection.id);
	const items = agents.then(list => list.map(agent => ({ label: agent.name, description: agent.description, agent })));
	const picked = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('New run file'),
		placeHolder: vscode.l10n.t('Agent of {0}', connection.name),
	});
	return picked?.agent;
}

function runsFolder(folder: vscode.WorkspaceFolder | undefined): vscode.Uri {
	const chosen = folder ?? vscode.workspace.workspaceFolders?.[0];
	if (!chosen) {
		throw new Problem('no-folder', vscode.l10n.t('A run file is a file of the workspace: open a folder first.'), {
			title: vscode.l10n.t('Open Folder'),
			command: 'vscode.openFolder',
		});
	}
	return vscode.Uri.joinPath(chosen.uri, 'runs');
}

async function freeName(folder: vscode.Uri, agent: string): Promise<vscode.Uri> {
	const name = path.posix.basename(agent).replace(/[^\w.-]+/g, '-');
	for (let n = 1; ; n++) {
		const uri = vscode.Uri.joinPath(folder, `${name}${n === 1 ? '' : `-${n}`}.run.json`);
		try {
			await vscode.workspace.fs.stat(uri);
		} catch {
			return uri;
		}
	}
}

async function write(uri: vscode.Uri, body: unknown): Promise<void> {
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`${JSON.stringify(body, undefined, '\t')}\n`));
	await vscode.window.showTextDocument(uri);
}
