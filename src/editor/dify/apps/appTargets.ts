import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { DifyApp } from '#client/dify/management.ts';
import { isAgentFile } from '../../agents/files/isAgentFile.ts';
import { findSidecar } from '../../agents/files/linkOfFile.ts';
import { getModeLabel } from '../../platform/difyModeText.ts';
import { escapeIcons, formatRelativeTime, toOneLine } from '../../platform/wording.ts';
import { getArgumentUri } from '../../runs/files/runFileChoice.ts';
import { pickApps } from '../appPicks.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, findConnectionTo, getConnectionName } from './appWork.ts';
import { findOpenDocument } from './fileTexts.ts';
import { type LinkedFile, readSidecar } from './linkedFiles.ts';

/**
 * Returns the agent file that a command is called for. Its argument can be the agent file or its sidecar file. The default is the file in
 * the active editor.
 */
export async function findAgentFile(argument: unknown): Promise<vscode.Uri> {
	const given = getArgumentUri(argument) ?? vscode.window.activeTextEditor?.document.uri;
	const stem = given && /^(.*)\.dify\.json$/.exec(given.path)?.[1];
	const candidates = given ? (stem === undefined ? [given] : ['yml', 'yaml'].map(ending => given.with({ path: `${stem}.${ending}` }))) : [];
	for (const uri of candidates) {
		const document = findOpenDocument(uri) ?? (await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined));
		if (document && isAgentFile(document)) {
			return uri;
		}
	}
	throw new Problem('no-agent-file', vscode.l10n.t('Open an agent file first. Agent files are YAML files in the workflow DSL.'));
}

/**
 * Reads the link of an agent file to its app.
 * @throws {Problem} `not-linked` for a file without a sidecar file
 * @throws {SyncFault} if the sidecar file isn't valid
 */
export async function readLinkedFile(uri: vscode.Uri): Promise<LinkedFile> {
	const found = await readSidecar(uri);
	if (!found) {
		const message = vscode.l10n.t(
			"'{0}' isn't linked to an app in Dify. Push it as a new app, or pull an existing app.",
			vscode.workspace.asRelativePath(uri),
		);
		throw new Problem('not-linked', message, {
			title: vscode.l10n.t('Push as new app…'),
			command: 'agentWorkbench.difyApp.pushAsNew',
			arguments: [uri],
		});
	}
	return { uri, sidecar: await findSidecar(uri), link: found.link };
}

/** Returns the app of a linked file and its connection, with the details that are known without sending a request. */
export function getLinkedApp(parts: AppWork, { uri, link }: LinkedFile): AppOfDeployment {
	const connectionId = findConnectionTo(parts, link, vscode.workspace.asRelativePath(uri));
	const name = path.posix.basename(uri.path).replace(/\.ya?ml$/, '');
	return { connectionId, app: { id: link.app_id, name, description: '', mode: link.mode, updatedAt: undefined } };
}

/**
 * Returns the file of an app, if it has one. If it has several, asks the user to select one.
 * @throws a cancellation if the user cancels
 */
export async function chooseFileOfApp(parts: AppWork, of: AppOfDeployment, title: string): Promise<LinkedFile | undefined> {
	const files = await parts.links.loadFiles(of);
	if (files.length < 2) {
		return files[0];
	}
	const items = files.map(file => ({
		label: path.posix.basename(file.uri.path),
		description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(file.uri, '..')),
		file,
	}));
	const placeHolder = vscode.l10n.t('Several files are linked to this app. Select one.');
	const chosen = await vscode.window.showQuickPick(items, { title, placeHolder });
	if (!chosen) {
		throw new vscode.CancellationError();
	}
	return chosen.file;
}

/** Creates the problem for a command that needs the file of an app. */
export function createNotPulledProblem({ app }: AppOfDeployment, argument: unknown): Problem {
	const message = vscode.l10n.t("No file in this workspace is linked to '{0}'. Pull the app first.", toOneLine(app.name, 60));
	return new Problem('not-linked', message, {
		title: vscode.l10n.t('Pull…'),
		command: 'agentWorkbench.difyApp.pull',
		arguments: [argument],
	});
}

/**
 * Returns the Dify connection that a command is called for. Its argument can be a connection's node or ID. The default is the only
 * connection, or one that the user selects.
 * @throws {Problem} if there is none
 */
export async function chooseDifyConnection(parts: AppWork, argument: unknown, title: string): Promise<string | undefined> {
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
		throw new Problem('unknown-connection', vscode.l10n.t("No Dify connection yet. Add a connection of kind 'Dify', then sign in."), {
			title: vscode.l10n.t('Add connection…'),
			command: 'agentWorkbench.connection.add',
		});
	}
	const signedIn = ids.filter(id => parts.deployments.getState(id).kind === 'signed-in');
	const [first, ...others] = signedIn.length > 0 ? signedIn : ids;
	if (others.length === 0) {
		return first;
	}
	const items = [first, ...others].flatMap(id => (id === undefined ? [] : [{ label: getConnectionName(parts, id), id }]));
	return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select a connection') }))?.id;
}

/** Asks the user to select any number of a workspace's apps. */
export function chooseApps(parts: AppWork, connectionId: string, title: string): Promise<readonly AppOfDeployment[]> {
	return pickApps(parts.deployments, {
		connectionIds: [connectionId],
		title,
		placeHolder: getPullPrompt(),
		many: true,
		describeApp: of => describeApp(parts, of),
	});
}

/** Asks the user which of these apps to pull. Initially, all are selected. */
export async function confirmApps(
	parts: AppWork,
	connectionId: string,
	apps: readonly DifyApp[],
	title: string,
): Promise<AppOfDeployment[]> {
	const items = apps.map(app => {
		const of = { connectionId, app };
		return { label: escapeIcons(toOneLine(app.name, 60)), ...describeApp(parts, of), picked: true, of };
	});
	const options = { title, placeHolder: getPullPrompt(), canPickMany: true, matchOnDescription: true } as const;
	return ((await vscode.window.showQuickPick(items, options)) ?? []).map(({ of }) => of);
}

function getPullPrompt(): string {
	return vscode.l10n.t('Select apps to pull. Existing files will be updated.');
}

function describeApp({ links }: AppWork, of: AppOfDeployment): { readonly description: string; readonly detail?: string } {
	const { mode, updatedAt } = of.app;
	const link = links.getLink(of);
	return {
		description: [getModeLabel(mode), updatedAt === undefined ? '' : formatRelativeTime(updatedAt * 1000)]
			.filter(part => part !== '')
			.join(' · '),
		...(link && { detail: `$(file) ${vscode.workspace.asRelativePath(link.uri)}` }),
	};
}
