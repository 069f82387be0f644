import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { getAgentPaths, readLink } from '#dify/files/linkFile.ts';
import { isAgentFile } from '../../agents/files/isAgentFile.ts';
import { findSidecar, isExistingFile } from '../../agents/files/linkOfFile.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { getModeLabel } from '../../platform/difyModeText.ts';
import { requireTrust } from '../../platform/trust.ts';
import { getArgumentUri } from '../../runs/files/runFileChoice.ts';
import { getNamedApps } from '../appChoice.ts';
import { pickApps } from '../appPicks.ts';
import type { AppLinks, AppOfDeployment, DifyDeployments } from '../difyTypes.ts';

/** The app that a command is called for. */
export interface TargetApp {
	readonly connectionId: string;
	readonly id: string;
	readonly mode: string;
	/** Local name of the app. If the app has a file, this is the file's name, so that the app's runs are listed with those of the file. */
	readonly name: string;
	/** The agent file that is linked to the app. */
	readonly file: vscode.Uri | undefined;
}

export interface TargetAppParts {
	readonly connections: Connections;
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
}

/**
 * Returns the app that a command is called for. Its argument can be a tree node or an agent file's URI. The default is the agent file in
 * the active editor, or an app that the user selects. Resolves to `undefined` if the user cancels.
 */
export async function chooseTargetApp(parts: TargetAppParts, argument: unknown): Promise<TargetApp | undefined> {
	const [named] = getNamedApps(argument);
	if (named) {
		return toTargetApp(parts, named);
	}
	const uri = getArgumentUri(argument) ?? readArgumentUri(argument);
	if (uri) {
		return readLinkedApp(parts, await findAgentFileAt(uri));
	}
	const active = vscode.window.activeTextEditor?.document;
	return active && isAgentFile(active) && (await readLinkText(active.uri)) !== undefined
		? readLinkedApp(parts, active.uri)
		: pickApp(parts);
}

/**
 * Returns the app that an agent file is linked to. Rejects if the file isn't linked, or if there is no connection to the app's deployment.
 */
async function readLinkedApp({ deployments }: TargetAppParts, file: vscode.Uri): Promise<TargetApp> {
	// the link comes from a workspace file
	requireTrust();
	const name = path.posix.basename(file.path);
	const text = await readLinkText(file);
	if (text === undefined) {
		const message = vscode.l10n.t("'{0}' isn't linked to an app in Dify. Push it as a new app, or pull an existing app.", name);
		throw new Problem('not-linked', message);
	}
	const { link } = readLink(text, path.posix.basename((await findSidecar(file)).path), vscode.l10n.t);
	const [connectionId] = deployments.listConnectionsAt(link.origin);
	if (connectionId === undefined) {
		const message = vscode.l10n.t("'{0}' is linked to an app at {1}, but you have no connection to that server.", name, link.origin);
		throw new Problem('no-connection', message, {
			title: vscode.l10n.t('Add connection…'),
			command: 'agentWorkbench.connection.add',
		});
	}
	return { connectionId, id: link.app_id, mode: link.mode, name: getAgentName(file), file };
}

async function pickApp(parts: TargetAppParts): Promise<TargetApp | undefined> {
	const { connections, deployments } = parts;
	const managed = connections.list().filter(({ id, kind }) => kind === 'dify' && deployments.getState(id).kind !== 'signed-out');
	if (managed.length === 0) {
		throw new Problem('signed-out', vscode.l10n.t("You aren't signed in to any Dify connection."), {
			title: vscode.l10n.t('Sign in…'),
			command: 'agentWorkbench.dify.signIn',
		});
	}
	const names = new Map(managed.map(({ id, name }) => [id, name]));
	const [picked] = await pickApps(deployments, {
		connectionIds: [...names.keys()],
		placeHolder: vscode.l10n.t('Select an app'),
		describeApp: ({ connectionId, app }) => ({ description: `${names.get(connectionId)} · ${getModeLabel(app.mode)}` }),
	});
	return picked && toTargetApp(parts, picked);
}

function toTargetApp({ links }: TargetAppParts, of: AppOfDeployment): TargetApp {
	const { connectionId, app } = of;
	const file = links.getLink(of)?.uri;
	return { connectionId, id: app.id, mode: app.mode, name: file ? getAgentName(file) : app.name, file };
}

function getAgentName(file: vscode.Uri): string {
	return path.posix.basename(file.path).replace(/\.ya?ml$/i, '');
}

/** Returns the agent file of a sidecar file. Returns other files unchanged. */
async function findAgentFileAt(uri: vscode.Uri): Promise<vscode.Uri> {
	const files = getAgentPaths(uri.path).map(path => uri.with({ path }));
	for (const file of files) {
		if (await isExistingFile(file)) {
			return file;
		}
	}
	return files.at(-1) ?? uri;
}

async function readLinkText(file: vscode.Uri): Promise<string | undefined> {
	try {
		return new TextDecoder().decode(await vscode.workspace.fs.readFile(await findSidecar(file)));
	} catch {
		return undefined;
	}
}

/** Returns the file of a node in the argument of a menu or code lens. */
function readArgumentUri(argument: unknown): vscode.Uri | undefined {
	const { uri } = (typeof argument === 'object' && argument !== null ? argument : {}) as { uri?: unknown };
	return uri instanceof vscode.Uri ? uri : undefined;
}
