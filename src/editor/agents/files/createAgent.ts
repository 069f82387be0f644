import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { withoutLinks } from '../../platform/wording.ts';
import { type SkeletonName, skeletons, skeletonText } from './skeletons.ts';

/** Where new agents go: the first agents folder of a folder of the workspace. */
interface Place {
	readonly folder: Pick<vscode.WorkspaceFolder, 'name' | 'uri'>;
	readonly agents: string;
	readonly uri: vscode.Uri;
}

/**
 * Writes an agent that runs at once, of a kind that the user chooses, into the first agents folder of a folder of the workspace, and opens it. A window
 * without a folder asks for one and opens it with the agent.
 * @throws {Problem} `taken` where a file of its name came while the user was asked
 * @param extensionPath folder of the extension, which has the skeletons
 */
export async function createAgent(
	extensionPath: string,
	folders: readonly vscode.WorkspaceFolder[] = vscode.workspace.workspaceFolders ?? [],
): Promise<void> {
	const places = folders.map(folder => placesIn(folder)[0] ?? placeIn(folder, 'agents'));
	const place = places.length > 1 ? await choosePlace(places) : (places[0] ?? (await chooseFolder()));
	const skeleton = place && (await chooseSkeleton());
	if (!skeleton) {
		return;
	}
	// the gateway serves one agent of a name, whichever folder it is in
	const taken = new Set(
		(await Promise.all([place, ...places].map(({ uri }) => filesIn(uri)))).flat().map(file => file.replace(/\.ya?ml$/, '')),
	);
	const name = await vscode.window.showInputBox({
		title: vscode.l10n.t('New agent'),
		prompt: withoutLinks(vscode.l10n.t('Name of the agent, and of its file in “{0}”', place.agents)),
		value: taken.has(skeleton) ? '' : skeleton,
		validateInput: text => {
			if (!/^[\w-]{1,64}$/.test(text.trim())) {
				return vscode.l10n.t('Expected letters, digits, “-” and “_”.');
			}
			return taken.has(text.trim()) ? vscode.l10n.t('There is an agent of this name.') : undefined;
		},
	});
	if (name !== undefined) {
		const uri = vscode.Uri.joinPath(place.uri, `${name.trim()}.yml`);
		// another window may have made one while this one asked
		if (await isThere(uri)) {
			throw new Problem('taken', vscode.l10n.t('There is an agent of this name.'));
		}
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(await skeletonText(extensionPath, skeleton, name.trim())));
		if (places.length === 0) {
			await vscode.commands.executeCommand('vscode.openFolder', place.folder.uri, { forceReuseWindow: true, filesToOpen: [uri] });
			return;
		}
		// what is being written is no preview, which the next click would replace
		await vscode.window.showTextDocument(uri, { preview: false });
	}
}

/**
 * Copies files to where agents of the workspace are: those that end as agent files do. Nothing there is written over.
 * @param list URIs, one a line
 * @throws {Problem} `no-agent-file` where none is one, `taken` where files of the same name are there
 */
export async function copyAgentFiles(
	list: string,
	folders: readonly vscode.WorkspaceFolder[] = vscode.workspace.workspaceFolders ?? [],
): Promise<void> {
	const lines = list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'));
	const uris = lines.map(line => vscode.Uri.parse(line)).filter(uri => /\.ya?ml$/.test(uri.path));
	if (uris.length === 0 || folders.length === 0) {
		throw new Problem('no-agent-file', vscode.l10n.t('Expected agent files (.yml), and a folder of the workspace to put them into.'));
	}
	const places = folders.map(folder => placesIn(folder)[0] ?? placeIn(folder, 'agents'));
	const place = places.length > 1 ? await choosePlace(places) : places[0];
	if (!place) {
		return;
	}
	const there = new Set(await filesIn(place.uri));
	const [fresh, taken] = [false, true].map(isTaken => uris.filter(uri => there.has(path.posix.basename(uri.path)) === isTaken));
	for (const uri of fresh ?? []) {
		await vscode.workspace.fs.copy(uri, vscode.Uri.joinPath(place.uri, path.posix.basename(uri.path)), { overwrite: false });
	}
	if (taken && taken.length > 0) {
		const names = taken.map(uri => path.posix.basename(uri.path)).join(', ');
		throw new Problem('taken', vscode.l10n.t('{0}: “{1}” has files of that name, which were left as they are.', names, place.agents));
	}
}

/** Whether some agents folder of the workspace has an agent file. */
export async function hasAgentFiles(
	folders: readonly vscode.WorkspaceFolder[] = vscode.workspace.workspaceFolders ?? [],
): Promise<boolean> {
	const files = await Promise.all(folders.flatMap(placesIn).map(({ uri }) => filesIn(uri)));
	return files.flat().some(file => /\.ya?ml$/.test(file));
}

/** The agents folders of a folder of the workspace. */
function placesIn(folder: vscode.WorkspaceFolder): Place[] {
	const names = vscode.workspace.getConfiguration('agentWorkbench', folder).get<string[]>('gateway.agentFolders', []);
	return names.map(agents => placeIn(folder, agents));
}

function placeIn(folder: Place['folder'], agents: string): Place {
	return { folder, agents, uri: vscode.Uri.joinPath(folder.uri, agents) };
}

/** For a window that has no folder: the one that it will have. */
async function chooseFolder(): Promise<Place | undefined> {
	const [uri] =
		(await vscode.window.showOpenDialog({
			title: vscode.l10n.t('Folder to work in: the agent becomes a file in its folder “agents”'),
			canSelectFolders: true,
			canSelectFiles: false,
			openLabel: vscode.l10n.t('Use This Folder'),
		})) ?? [];
	return uri && placeIn({ name: path.posix.basename(uri.path), uri }, 'agents');
}

async function choosePlace(places: readonly Place[]): Promise<Place | undefined> {
	const items = places.map(place => ({
		label: place.folder.name,
		description: place.agents,
		iconPath: new vscode.ThemeIcon('folder'),
		place,
	}));
	const chosen = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('New agent'),
		placeHolder: vscode.l10n.t('Folder of the workspace that the agent goes to'),
	});
	return chosen?.place;
}

async function chooseSkeleton(): Promise<SkeletonName | undefined> {
	const items = skeletons().map(({ name, label, detail }) => ({ label, detail, name }));
	const placeHolder = vscode.l10n.t('What to begin with');
	return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('New agent'), placeHolder }))?.name;
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
	try {
		await vscode.workspace.fs.stat(uri);
		return true;
	} catch {
		return false;
	}
}

async function filesIn(folder: vscode.Uri): Promise<string[]> {
	try {
		return (await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file);
	} catch {
		// the folder comes with its first file
		return [];
	}
}
