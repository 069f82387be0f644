import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import { createPlaceholder } from '#runs/request/inputPlaceholder.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { resolveFileToWrite } from '../../platform/fileScopes.ts';
import { completeEnding, findFreeFile } from '../../platform/freeFile.ts';
import { requireLiteralInputs } from './literalInputs.ts';

/**
 * Creates a run file for an agent in the `runs` folder of the workspace, with a value for each of the agent's start variables, and opens
 * it.
 */
export async function createRunFile(agent: AgentSummary): Promise<vscode.Uri> {
	const folder = agent.file ? vscode.workspace.getWorkspaceFolder(vscode.Uri.file(agent.file)) : undefined;
	const body = {
		model: agent.name,
		inputs: Object.fromEntries(agent.variables.map(variable => [variable.variable, createPlaceholder(variable)])),
		response_mode: 'streaming',
	};
	const uri = await findFreeFile(getRunsFolder(folder), agent.name, 'run.json');
	resolveFileToWrite(uri);
	selectFirstEmptyValue(await writeAndOpenFile(uri, body));
	return uri;
}

/**
 * Asks where to save the request of a past run as a run file, and opens the file. Rejects if the run file would send something different.
 */
export async function saveAsRunFile(request: WorkflowRunRequest, secretPlaces?: ReadonlySet<string>): Promise<vscode.Uri | undefined> {
	requireLiteralInputs(request.inputs, secretPlaces);
	return saveRunFile(request.model, undefined, () => request);
}

/**
 * Asks where to save a run file for an agent, and opens the file. The default is the `runs` folder of this workspace folder. `body` is
 * called with the chosen URI.
 */
export async function saveRunFile(
	agent: string,
	folder: vscode.WorkspaceFolder | undefined,
	body: (runFile: vscode.Uri) => unknown,
): Promise<vscode.Uri | undefined> {
	const uri = await vscode.window.showSaveDialog({
		defaultUri: await findFreeFile(getRunsFolder(folder), agent, 'run.json'),
		// VS Code would append an extension with two dots twice
		filters: { [vscode.l10n.t('Run files')]: ['json'] },
		title: vscode.l10n.t('Save as run file'),
	});
	if (!uri) {
		return undefined;
	}
	const named = await completeEnding(uri, 'run.json');
	await writeAndOpenFile(named, body(named));
	return named;
}

/** Asks for an agent of a connection. */
export async function pickAgent(connections: Connections, title: string): Promise<AgentSummary | undefined> {
	const connection = connections.getDefault();
	const agents = connections.listAgents(connection.id);
	const items = agents.then(list => list.map(agent => ({ label: agent.name, description: agent.description, agent })));
	const picked = await vscode.window.showQuickPick(items, {
		title,
		placeHolder: vscode.l10n.t("Select an agent of '{0}'", connection.name),
	});
	return picked?.agent;
}

function getRunsFolder(folder: vscode.WorkspaceFolder | undefined): vscode.Uri {
	const chosen = folder ?? vscode.workspace.workspaceFolders?.[0];
	if (!chosen) {
		throw new Problem('no-folder', vscode.l10n.t('Open a folder first. Run files are saved in the workspace.'), {
			title: vscode.l10n.t('Open folder'),
			command: 'vscode.openFolder',
		});
	}
	return vscode.Uri.joinPath(chosen.uri, 'runs');
}

async function writeAndOpenFile(uri: vscode.Uri, body: unknown): Promise<vscode.TextEditor> {
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`${JSON.stringify(body, undefined, '\t')}\n`));
	// the next file that is clicked would replace a preview
	return vscode.window.showTextDocument(uri, { preview: false });
}

/** Moves the cursor to the first empty value. */
function selectFirstEmptyValue(editor: vscode.TextEditor): void {
	const place = findEmptyValue(editor.document.getText());
	if (place !== undefined) {
		const at = editor.document.positionAt(place);
		editor.selection = new vscode.Selection(at, at);
		editor.revealRange(new vscode.Range(at, at));
	}
}

/** Returns the offset of the first empty value of a new run file. For a file reference, this is the offset after `./`. */
export function findEmptyValue(text: string): number | undefined {
	const found = /: (?:"(\.\/)?(?=")|\[(?=\]))/.exec(text);
	return found ? found.index + found[0].length : undefined;
}
