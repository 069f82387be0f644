import path from 'node:path';
import * as vscode from 'vscode';
import { appFileName, freeFileName, sameName } from '#dify/files/appFileName.ts';
import { type LinkFile, writeLink } from '#dify/files/linkFile.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import type { PullPlan } from '#dify/syncTypes.ts';
import { findSidecar } from '../../agents/files/linkOfFile.ts';
import { withoutLinks } from '../../platform/wording.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import type { AppWork } from './appWork.ts';
import { replaceText, textOfFile } from './fileTexts.ts';
import { readSidecar } from './linkedFiles.ts';

/**
 * Carries out a pull: the file, then what says of which app it is. What the file said is kept before.
 * @throws {Problem} `changed-meanwhile` where the file is not as it was planned for: nothing was written
 */
export async function writePull(parts: AppWork, of: AppOfDeployment, uri: vscode.Uri, plan: PullPlan): Promise<void> {
	if (plan.text !== undefined) {
		if (plan.here !== undefined && plan.here !== plan.text) {
			const { origin, app_id: appId } = plan.link;
			await parts.backups.keep({ origin, appId, name: plan.app.name, side: 'here', text: plan.here });
		}
		await replaceText(uri, plan.here, plan.text);
	}
	await writeSidecar(uri, plan.link);
	if (plan.kind === 'new') {
		// who makes a file of an app has said which app it belongs to
		await parts.consents.add(uri.toString(), plan.link);
	}
	await parts.links.learn(of, plan.there, uri);
}

/** Writes the sidecar file of an agent file; fields of others in it stay. One that says the same is left alone. */
export async function writeSidecar(uri: vscode.Uri, link: DifyLink): Promise<void> {
	const sidecar = await findSidecar(uri);
	const before = await textOfFile(sidecar);
	// one that cannot be read is written anew
	const kept = before === undefined ? undefined : await readSidecar(uri).catch((): LinkFile | undefined => undefined);
	const text = writeLink(link, kept);
	if (text !== before) {
		await replaceText(sidecar, before, text);
	}
}

/** Where pulled apps become files. */
export interface PullFolder {
	readonly folder: vscode.Uri;
	/** Names, without endings, that files of the agents folders have: the gateway serves one agent of a name. */
	readonly taken: Set<string>;
}

/** The folder that new files go to: the agents folder, the one that the user picks of several, or one chosen where there is none. */
export async function choosePullFolder(parts: AppWork, title: string): Promise<PullFolder | undefined> {
	const known = parts.agentFolders().map(folder => vscode.Uri.file(folder));
	const [workspace] = vscode.workspace.workspaceFolders ?? [];
	const folder =
		known.length > 1
			? await pickFolder(known, title)
			: (known[0] ?? (workspace ? vscode.Uri.joinPath(workspace.uri, 'agents') : await askFolder(title)));
	if (!folder) {
		return undefined;
	}
	const names = await Promise.all([folder, ...known].map(namesIn));
	return { folder, taken: new Set(names.flat()) };
}

/** The file that an app of this name becomes without asking; its name is taken from then on. */
export function fileFor(name: string, { folder, taken }: PullFolder): vscode.Uri {
	const free = freeFileName(appFileName(name), taken);
	taken.add(free);
	return vscode.Uri.joinPath(folder, `${free}.yml`);
}

/** Whether a file has the name that the one of an app would have. */
export function isTaken(name: string, { taken }: PullFolder): boolean {
	const wanted = sameName(appFileName(name));
	return [...taken].some(each => sameName(each) === wanted);
}

/** Asks for the name of the file that an app becomes; it may be that of one in the folder, which is looked at then before it is overwritten. */
export async function askFileFor(name: string, place: PullFolder): Promise<vscode.Uri | undefined> {
	const given = await vscode.window.showInputBox({
		title: vscode.l10n.t('Pull App'),
		prompt: withoutLinks(vscode.l10n.t('Name of the agent, and of its file in “{0}”', vscode.workspace.asRelativePath(place.folder))),
		value: freeFileName(appFileName(name), place.taken),
		ignoreFocusOut: true,
		validateInput: async text => {
			const trimmed = text.trim();
			if (trimmed === '' || appFileName(trimmed) !== trimmed) {
				return vscode.l10n.t('Expected letters, digits, “-” and “_”, at most 64.');
			}
			if (!isTaken(trimmed, place)) {
				return undefined;
			}
			const isHere = await Promise.resolve(vscode.workspace.fs.stat(vscode.Uri.joinPath(place.folder, `${trimmed}.yml`))).catch(
				() => undefined,
			);
			return isHere
				? {
						message: vscode.l10n.t(
							'There is an agent of this name: it is compared before anything is overwritten, and is of this app then.',
						),
						severity: vscode.InputBoxValidationSeverity.Info,
					}
				: vscode.l10n.t('There is an agent of this name.');
		},
	});
	return given === undefined ? undefined : vscode.Uri.joinPath(place.folder, `${given.trim()}.yml`);
}

async function pickFolder(folders: readonly vscode.Uri[], title: string): Promise<vscode.Uri | undefined> {
	const items = folders.map(uri => ({ label: vscode.workspace.asRelativePath(uri), iconPath: new vscode.ThemeIcon('folder'), uri }));
	return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Folder that the files go to') }))?.uri;
}

async function askFolder(title: string): Promise<vscode.Uri | undefined> {
	const openLabel = vscode.l10n.t('Use This Folder');
	const [folder] = (await vscode.window.showOpenDialog({ title, canSelectFolders: true, canSelectFiles: false, openLabel })) ?? [];
	return folder;
}

/** Names that are taken in a folder by agent files and sidecar files; none in one that is not there. */
async function namesIn(folder: vscode.Uri): Promise<string[]> {
	const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
	return entries.flatMap(([name]) => /^(.*?)(?:\.ya?ml|\.dify\.json)$/i.exec(path.posix.basename(name))?.[1] ?? []);
}
