import path from 'node:path';
import * as vscode from 'vscode';
import { createAppFileName, findFreeFileName, normalizeName } from '#dify/files/appFileName.ts';
import { type LinkFile, serializeLink } from '#dify/files/linkFile.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import type { PullPlan } from '#dify/syncTypes.ts';
import { findSidecar } from '../../agents/files/linkOfFile.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import type { AppWork } from './appWork.ts';
import { readFileText, replaceText } from './fileTexts.ts';
import { readSidecar } from './linkedFiles.ts';

/**
 * Writes the file of a pull, and then its sidecar file. Backs up the old text first.
 * @throws {Problem} `changed-meanwhile` if the file has changed since the plan was made, in which case nothing is written
 */
export async function writePulledFile(parts: AppWork, of: AppOfDeployment, uri: vscode.Uri, plan: PullPlan): Promise<void> {
	if (plan.text !== undefined) {
		if (plan.here !== undefined && plan.here !== plan.text) {
			const { origin, app_id: appId } = plan.link;
			await parts.backups.saveBackup({ origin, appId, name: plan.app.name, side: 'here', text: plan.here });
		}
		await replaceText(uri, plan.here, plan.text);
	}
	try {
		await writeSidecar(parts, uri, plan.link, plan.text ?? plan.here);
	} catch (error) {
		// with the old link, the pulled text would count as a change that was made here
		await restorePulledFile(uri, plan).catch(() => undefined);
		throw error;
	}
	if (plan.kind === 'new') {
		// no need to ask, because the user just chose the app for this new file
		await parts.consents.add(uri.toString(), plan.link);
	}
	await parts.links.updateLink(of, plan.there, uri);
}

/** Gives a file the text that it had before a pull. Does nothing if it was changed since. If that fails, the backup has the text. */
async function restorePulledFile(uri: vscode.Uri, { here, text }: PullPlan): Promise<void> {
	if (text === undefined || text === here || (await readFileText(uri)) !== text) {
		return;
	}
	await (here === undefined ? vscode.workspace.fs.delete(uri) : replaceText(uri, text, here));
}

/**
 * Writes the sidecar file of an agent file, if its content changes. Keeps unknown fields.
 * @param base text that matches the app, stored for later merges. The file may have changed since.
 */
export async function writeSidecar({ bases, log }: AppWork, uri: vscode.Uri, link: DifyLink, base: string | undefined): Promise<void> {
	const sidecar = await findSidecar(uri);
	const before = await readFileText(sidecar);
	// overwrite a sidecar file that can't be read
	const kept = before === undefined ? undefined : await readSidecar(uri).catch((): LinkFile | undefined => undefined);
	const text = serializeLink(link, kept);
	if (text !== before) {
		await replaceText(sidecar, before, text);
	}
	if (base !== undefined) {
		await bases.saveBase(base, link.base.content_hash).catch(error => log.warn(`Couldn't store a text for merges: ${String(error)}`));
	}
}

/** The folder for files of new apps. */
export interface PullFolder {
	readonly folder: vscode.Uri;
	/** Names of all files in the agent folders, without extension. Names of agents must be unique within a gateway. */
	readonly taken: Set<string>;
}

/** Returns the folder for new files: the only agent folder, or one that the user selects. Resolves to `undefined` if the user cancels. */
export async function choosePullFolder(parts: AppWork, title: string): Promise<PullFolder | undefined> {
	const known = parts.agentFolders().map(folder => vscode.Uri.file(folder));
	const [workspace] = vscode.workspace.workspaceFolders ?? [];
	const folder =
		known.length > 1
			? await chooseAgentFolder(known, title)
			: (known[0] ?? (workspace ? vscode.Uri.joinPath(workspace.uri, 'agents') : await openFolderDialog(title)));
	if (!folder) {
		return undefined;
	}
	const names = await Promise.all([folder, ...known].map(listFileNames));
	return { folder, taken: new Set(names.flat()) };
}

/** Returns the path of a new file for an app with this name, and reserves the file name. */
export function reserveFile(name: string, { folder, taken }: PullFolder): vscode.Uri {
	const free = findFreeFileName(createAppFileName(name), taken);
	taken.add(free);
	return vscode.Uri.joinPath(folder, `${free}.yml`);
}

/** True if the file name for an app with this name is taken. */
export function isNameTaken(name: string, { taken }: PullFolder): boolean {
	const wanted = normalizeName(createAppFileName(name));
	return [...taken].some(each => normalizeName(each) === wanted);
}

/** Asks for the name of a new file. The user may enter an existing file, which is compared with the app before it is overwritten. */
export async function askForFile(name: string, place: PullFolder): Promise<vscode.Uri | undefined> {
	const given = await vscode.window.showInputBox({
		title: vscode.l10n.t('Pull App'),
		prompt: escapeLinks(vscode.l10n.t("Name of the agent and its file in '{0}'", vscode.workspace.asRelativePath(place.folder))),
		value: findFreeFileName(createAppFileName(name), place.taken),
		ignoreFocusOut: true,
		validateInput: async text => {
			const trimmed = text.trim();
			if (trimmed === '' || createAppFileName(trimmed) !== trimmed) {
				return vscode.l10n.t('Use at most 64 letters, digits, hyphens and underscores.');
			}
			if (!isNameTaken(trimmed, place)) {
				return undefined;
			}
			const isHere = await Promise.resolve(vscode.workspace.fs.stat(vscode.Uri.joinPath(place.folder, `${trimmed}.yml`))).catch(
				() => undefined,
			);
			return isHere
				? {
						message: vscode.l10n.t(
							'An agent with this name already exists. You can compare the two before the agent is overwritten and linked to this app.',
						),
						severity: vscode.InputBoxValidationSeverity.Info,
					}
				: vscode.l10n.t('An agent with this name already exists.');
		},
	});
	return given === undefined ? undefined : vscode.Uri.joinPath(place.folder, `${given.trim()}.yml`);
}

async function chooseAgentFolder(folders: readonly vscode.Uri[], title: string): Promise<vscode.Uri | undefined> {
	const items = folders.map(uri => ({ label: vscode.workspace.asRelativePath(uri), iconPath: new vscode.ThemeIcon('folder'), uri }));
	return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select a folder for the files') }))?.uri;
}

async function openFolderDialog(title: string): Promise<vscode.Uri | undefined> {
	const openLabel = vscode.l10n.t('Use folder');
	const [folder] = (await vscode.window.showOpenDialog({ title, canSelectFolders: true, canSelectFiles: false, openLabel })) ?? [];
	return folder;
}

/** Returns the names of the agent files and sidecar files in a folder. Returns none if the folder doesn't exist. */
async function listFileNames(folder: vscode.Uri): Promise<string[]> {
	const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
	return entries.flatMap(([name]) => /^(.*?)(?:\.ya?ml|\.dify\.json)$/i.exec(path.posix.basename(name))?.[1] ?? []);
}
