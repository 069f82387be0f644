import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { readAgentFolderNames } from '../../connections/gateway/agentFolders.ts';
import { resolveFileToWrite } from '../../platform/fileScopes.ts';
import { formatList } from '../../platform/format.ts';
import { isExistingPath } from '../../platform/freeFile.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { listSkeletons, readSkeleton, type SkeletonName } from './skeletons.ts';

const defaultFolder = 'agents';

/** An agents folder where new agents can be created. */
interface AgentsFolder {
	readonly folder: Pick<vscode.WorkspaceFolder, 'name' | 'uri'>;
	readonly agents: string;
	readonly uri: vscode.Uri;
}

/**
 * Creates an agent from a template in an agents folder that the user chooses, and opens it. In a window without a folder, asks for a folder
 * and opens that folder with the agent. Returns the agent's name, or `undefined` if none was created in this window.
 * @throws {Problem} `taken` if a file with the same name was created in the meantime
 * @param extensionPath extension folder, which contains the templates
 */
export async function createAgent(
	extensionPath: string,
	folders: readonly vscode.WorkspaceFolder[] = vscode.workspace.workspaceFolders ?? [],
): Promise<string | undefined> {
	const places = folders.map(getAgentsFolder);
	const place = places.length > 1 ? await chooseAgentsFolder(places) : (places[0] ?? (await chooseNewWorkspaceFolder()));
	const skeleton = place && (await chooseSkeleton());
	if (!skeleton) {
		return undefined;
	}
	// an agent's name must be unique among all agents folders
	const taken = new Set(
		(await Promise.all([place, ...places].map(({ uri }) => listFileNames(uri)))).flat().map(file => file.replace(/\.ya?ml$/, '')),
	);
	const name = await vscode.window.showInputBox({
		title: vscode.l10n.t('New Agent'),
		prompt: escapeLinks(vscode.l10n.t("Name of the new agent. Its file will be created in '{0}'.", place.agents)),
		value: taken.has(skeleton) ? '' : skeleton,
		validateInput: text => {
			if (!/^[\w-]{1,64}$/.test(text.trim())) {
				return vscode.l10n.t('Use only letters, digits, hyphens and underscores.');
			}
			return taken.has(text.trim()) ? vscode.l10n.t('An agent with this name already exists.') : undefined;
		},
	});
	if (name === undefined) {
		return undefined;
	}
	const uri = vscode.Uri.joinPath(place.uri, `${name.trim()}.yml`);
	// another window may have created it in the meantime
	if (await isExistingPath(uri)) {
		throw new Problem('taken', vscode.l10n.t('An agent with this name already exists.'));
	}
	resolveFileToWrite(uri);
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(await readSkeleton(extensionPath, skeleton, name.trim())));
	if (places.length === 0) {
		await vscode.commands.executeCommand('vscode.openFolder', place.folder.uri, { forceReuseWindow: true, filesToOpen: [uri] });
		return undefined;
	}
	// open without preview, so that the next click doesn't replace the editor
	await vscode.window.showTextDocument(uri, { preview: false });
	return name.trim();
}

/**
 * Copies the YAML files in a list into an agents folder of the workspace. Never overwrites a file.
 * @param list URIs, one per line
 * @throws {Problem} `no-agent-file` if the list has no YAML files, `taken` if files with the same name exist
 */
export async function copyAgentFiles(
	list: string,
	folders: readonly vscode.WorkspaceFolder[] = vscode.workspace.workspaceFolders ?? [],
): Promise<void> {
	const lines = list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'));
	const uris = lines.map(line => vscode.Uri.parse(line)).filter(uri => /\.ya?ml$/.test(uri.path));
	if (uris.length === 0 || folders.length === 0) {
		throw new Problem('no-agent-file', vscode.l10n.t("Couldn't add the files. Open a folder first, and add only agent files (.yml)."));
	}
	const places = folders.map(getAgentsFolder);
	const place = places.length > 1 ? await chooseAgentsFolder(places) : places[0];
	if (!place) {
		return;
	}
	const there = new Set(await listFileNames(place.uri));
	const [fresh, taken] = [false, true].map(isTaken => uris.filter(uri => there.has(path.posix.basename(uri.path)) === isTaken));
	for (const uri of fresh ?? []) {
		const copy = vscode.Uri.joinPath(place.uri, path.posix.basename(uri.path));
		resolveFileToWrite(copy);
		await vscode.workspace.fs.copy(uri, copy, { overwrite: false });
	}
	if (taken && taken.length > 0) {
		const names = formatList(taken.map(uri => path.posix.basename(uri.path)));
		throw new Problem('taken', vscode.l10n.t("These files already exist in '{1}' and weren't replaced: {0}.", names, place.agents));
	}
}

/** Returns the first agents folder of a workspace folder, or its default one. */
function getAgentsFolder(folder: vscode.WorkspaceFolder): AgentsFolder {
	return toAgentsFolder(folder, readAgentFolderNames(folder.uri)[0] ?? defaultFolder);
}

function toAgentsFolder(folder: AgentsFolder['folder'], agents: string): AgentsFolder {
	return { folder, agents, uri: vscode.Uri.joinPath(folder.uri, agents) };
}

/** Asks for the folder to open in a window that has none. */
async function chooseNewWorkspaceFolder(): Promise<AgentsFolder | undefined> {
	const [uri] =
		(await vscode.window.showOpenDialog({
			title: vscode.l10n.t("Select a folder. The agent will be created in its 'agents' subfolder."),
			canSelectFolders: true,
			canSelectFiles: false,
			openLabel: vscode.l10n.t('Use this folder'),
		})) ?? [];
	return uri && toAgentsFolder({ name: path.posix.basename(uri.path), uri }, defaultFolder);
}

async function chooseAgentsFolder(places: readonly AgentsFolder[]): Promise<AgentsFolder | undefined> {
	const items = places.map(place => ({
		label: place.folder.name,
		description: place.agents,
		iconPath: new vscode.ThemeIcon('folder'),
		place,
	}));
	const chosen = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('New Agent'),
		placeHolder: vscode.l10n.t('Select a workspace folder for the agent'),
	});
	return chosen?.place;
}

async function chooseSkeleton(): Promise<SkeletonName | undefined> {
	const items = listSkeletons().map(({ name, label, detail }) => ({ label, detail, name }));
	const placeHolder = vscode.l10n.t('Select a template');
	return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('New Agent'), placeHolder }))?.name;
}

async function listFileNames(folder: vscode.Uri): Promise<string[]> {
	try {
		return (await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file);
	} catch {
		// the folder doesn't exist until its first file is created
		return [];
	}
}
