import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { DifyApp } from '#client/dify/management.ts';
import { isAgentFile } from '../../agents/files/isAgentFile.ts';
import { findSidecar } from '../../agents/files/linkOfFile.ts';
import { modeText } from '../../platform/difyModeText.ts';
import { agoText, oneLine, withoutIcons } from '../../platform/wording.ts';
import { getArgumentUri } from '../../runs/files/runFileChoice.ts';
import { pickApps } from '../appPicks.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, connectionName, connectionTo } from './appWork.ts';
import { openDocument } from './fileTexts.ts';
import { type LinkedFile, readSidecar } from './linkedFiles.ts';

/** The agent file that a command means: the one at its argument (its sidecar file stands for it), else the one in the active editor. */
export async function agentFileMeant(argument: unknown): Promise<vscode.Uri> {
	const given = getArgumentUri(argument) ?? vscode.window.activeTextEditor?.document.uri;
	const stem = given && /^(.*)\.dify\.json$/.exec(given.path)?.[1];
	const candidates = given ? (stem === undefined ? [given] : ['yml', 'yaml'].map(ending => given.with({ path: `${stem}.${ending}` }))) : [];
	for (const uri of candidates) {
		const document = openDocument(uri) ?? (await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined));
		if (document && isAgentFile(document)) {
			return uri;
		}
	}
	throw new Problem('no-agent-file', vscode.l10n.t('Open an agent file first: expected a YAML file in the workflow DSL.'));
}

/**
 * The app that an agent file is of.
 * @throws {Problem} `not-linked` for a file without a sidecar file
 * @throws {SyncFault} where that says nothing that can be used
 */
export async function linkedFileAt(uri: vscode.Uri): Promise<LinkedFile> {
	const found = await readSidecar(uri);
	if (!found) {
		const sentence = vscode.l10n.t(
			'{0} is of no app in Dify yet: push it as a new app, or pull the app that it is of.',
			vscode.workspace.asRelativePath(uri),
		);
		throw new Problem('not-linked', sentence, {
			title: vscode.l10n.t('Push as New App…'),
			command: 'agentWorkbench.difyApp.pushAsNew',
			arguments: [uri],
		});
	}
	return { uri, sidecar: await findSidecar(uri), link: found.link };
}

/** The app of a linked file at the connection that leads to it, as much of it as is known without asking. */
export function appOf(parts: AppWork, { uri, link }: LinkedFile): AppOfDeployment {
	const connectionId = connectionTo(parts, link, vscode.workspace.asRelativePath(uri));
	const name = path.posix.basename(uri.path).replace(/\.ya?ml$/, '');
	return { connectionId, app: { id: link.app_id, name, description: '', mode: link.mode, updatedAt: undefined } };
}

/**
 * The file of an app; where the workspace has several, the one that the user picks.
 * @throws {Problem} `not-linked` where it has none and one is needed
 */
export async function fileOfApp(parts: AppWork, of: AppOfDeployment, title: string): Promise<LinkedFile | undefined> {
	const files = await parts.links.filesOf(of);
	if (files.length < 2) {
		return files[0];
	}
	const items = files.map(file => ({
		label: path.posix.basename(file.uri.path),
		description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(file.uri, '..')),
		file,
	}));
	const placeHolder = vscode.l10n.t('Several files are of this app: which one?');
	const chosen = await vscode.window.showQuickPick(items, { title, placeHolder });
	if (!chosen) {
		throw new vscode.CancellationError();
	}
	return chosen.file;
}

/** Why a command needs a file of an app. */
export function notPulled({ app }: AppOfDeployment, argument: unknown): Problem {
	const sentence = vscode.l10n.t('No file of this workspace is of “{0}”: pull it first.', oneLine(app.name, 60));
	return new Problem('not-linked', sentence, {
		title: vscode.l10n.t('Pull…'),
		command: 'agentWorkbench.difyApp.pull',
		arguments: [argument],
	});
}

/**
 * The Dify connection that a command means: that of its argument (a connection's node or ID), else the only one, else the one that the user picks.
 * @throws {Problem} where there is none
 */
export async function connectionMeant(parts: AppWork, argument: unknown, title: string): Promise<string | undefined> {
	const given =
		typeof argument === 'string'
			? argument
			: typeof argument === 'object' && argument !== null && 'connectionId' in argument
				? String(argument.connectionId)
				: undefined;
	if (given !== undefined && parts.connections.get(given)) {
		return given;
	}
	const ids = parts.connections.list().flatMap(({ id, kind }) => (kind === 'dify' ? [id] : []));
	if (ids.length === 0) {
		throw new Problem('unknown-connection', vscode.l10n.t('No connection leads to Dify: add one of the kind Dify, and sign in.'), {
			title: vscode.l10n.t('Add Connection…'),
			command: 'agentWorkbench.connection.add',
		});
	}
	const signedIn = ids.filter(id => parts.deployments.state(id).kind === 'signed-in');
	const [first, ...others] = signedIn.length > 0 ? signedIn : ids;
	if (others.length === 0) {
		return first;
	}
	const items = [first, ...others].flatMap(id => (id === undefined ? [] : [{ label: connectionName(parts, id), id }]));
	return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Deployment') }))?.id;
}

/** Apps of a workspace that the user picks, any number of them. */
export function chooseApps(parts: AppWork, connectionId: string, title: string): Promise<readonly AppOfDeployment[]> {
	const wordsOf = (of: AppOfDeployment) => wordsOfApp(parts, of);
	return pickApps(parts.deployments, { connectionIds: [connectionId], title, placeHolder: appsToPull(), many: true, wordsOf });
}

/** Those of these apps that the user leaves picked: all are to begin with, so that one look and one key take them. */
export async function confirmApps(
	parts: AppWork,
	connectionId: string,
	apps: readonly DifyApp[],
	title: string,
): Promise<AppOfDeployment[]> {
	const items = apps.map(app => {
		const of = { connectionId, app };
		return { label: withoutIcons(oneLine(app.name, 60)), ...wordsOfApp(parts, of), picked: true, of };
	});
	const options = { title, placeHolder: appsToPull(), canPickMany: true, matchOnDescription: true } as const;
	return ((await vscode.window.showQuickPick(items, options)) ?? []).map(({ of }) => of);
}

function appsToPull(): string {
	return vscode.l10n.t('Apps to pull; those that are files here already are brought up to date');
}

function wordsOfApp({ links }: AppWork, of: AppOfDeployment): { readonly description: string; readonly detail?: string } {
	const { mode, updatedAt } = of.app;
	const link = links.linkOf(of);
	return {
		description: [modeText(mode), updatedAt === undefined ? '' : agoText(updatedAt * 1000)].filter(part => part !== '').join(' · '),
		...(link && { detail: `$(file) ${vscode.workspace.asRelativePath(link.uri)}` }),
	};
}
