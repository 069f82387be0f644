import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { agentPathsOf, readLink } from '#dify/files/linkFile.ts';
import { isAgentFile } from '../../agents/files/isAgentFile.ts';
import { findSidecar, isFile } from '../../agents/files/linkOfFile.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { modeText } from '../../platform/difyModeText.ts';
import { requireTrust } from '../../platform/trust.ts';
import { getArgumentUri } from '../../runs/files/runFileChoice.ts';
import { appsNamed } from '../appChoice.ts';
import { pickApps } from '../appPicks.ts';
import type { AppLinks, AppOfDeployment, DifyDeployments } from '../difyTypes.ts';

/** The app that a command is about. */
export interface MeantApp {
	readonly connectionId: string;
	readonly id: string;
	readonly mode: string;
	/** What it is called here: as its file, where there is one, so that its runs stand beside those of the file. */
	readonly name: string;
	/** The agent file that is linked to it. */
	readonly file: vscode.Uri | undefined;
}

/** Where apps are looked for. */
export interface MeantAppParts {
	readonly connections: Connections;
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
}

/** The app that a command means: that of a tree node, that of an agent file (its URI, else the one in front), else one that the user picks; `undefined` where they back out. */
export async function meantApp(parts: MeantAppParts, argument: unknown): Promise<MeantApp | undefined> {
	const [named] = appsNamed(argument);
	if (named) {
		return appOf(parts, named);
	}
	const uri = getArgumentUri(argument) ?? uriIn(argument);
	if (uri) {
		return linkedApp(parts, await agentFileAt(uri));
	}
	const active = vscode.window.activeTextEditor?.document;
	return active && isAgentFile(active) && (await linkTextOf(active.uri)) !== undefined ? linkedApp(parts, active.uri) : pickApp(parts);
}

/** The app that an agent file is linked to. Rejects where it is linked to none, or to one of a deployment that no connection leads to. */
async function linkedApp({ deployments }: MeantAppParts, file: vscode.Uri): Promise<MeantApp> {
	// whose app it is, says a file of the workspace
	requireTrust();
	const name = path.posix.basename(file.path);
	const text = await linkTextOf(file);
	if (text === undefined) {
		const sentence = vscode.l10n.t('{0} is linked to no app of Dify: pull the app, or push the file as a new one, first.', name);
		throw new Problem('not-linked', sentence);
	}
	const { link } = readLink(text, path.posix.basename((await findSidecar(file)).path), vscode.l10n.t);
	const [connectionId] = deployments.connectionsAt(link.origin);
	if (connectionId === undefined) {
		const sentence = vscode.l10n.t('{0} is linked to an app of {1}, to which no connection leads.', name, link.origin);
		throw new Problem('no-connection', sentence, {
			title: vscode.l10n.t('Add Connection…'),
			command: 'agentWorkbench.connection.add',
		});
	}
	return { connectionId, id: link.app_id, mode: link.mode, name: nameOf(file), file };
}

async function pickApp(parts: MeantAppParts): Promise<MeantApp | undefined> {
	const { connections, deployments } = parts;
	const managed = connections.list().filter(({ id, kind }) => kind === 'dify' && deployments.state(id).kind !== 'signed-out');
	if (managed.length === 0) {
		throw new Problem('signed-out', vscode.l10n.t('Nobody has signed in to a Dify deployment yet.'), {
			title: vscode.l10n.t('Sign In'),
			command: 'agentWorkbench.dify.signIn',
		});
	}
	const names = new Map(managed.map(({ id, name }) => [id, name]));
	const [picked] = await pickApps(deployments, {
		connectionIds: [...names.keys()],
		placeHolder: vscode.l10n.t('App'),
		wordsOf: ({ connectionId, app }) => ({ description: `${names.get(connectionId)} · ${modeText(app.mode)}` }),
	});
	return picked && appOf(parts, picked);
}

function appOf({ links }: MeantAppParts, of: AppOfDeployment): MeantApp {
	const { connectionId, app } = of;
	const file = links.linkOf(of)?.uri;
	return { connectionId, id: app.id, mode: app.mode, name: file ? nameOf(file) : app.name, file };
}

function nameOf(file: vscode.Uri): string {
	return path.posix.basename(file.path).replace(/\.ya?ml$/i, '');
}

/** The agent file that a sidecar file is of; any other file is meant itself. */
async function agentFileAt(uri: vscode.Uri): Promise<vscode.Uri> {
	const files = agentPathsOf(uri.path).map(path => uri.with({ path }));
	for (const file of files) {
		if (await isFile(file)) {
			return file;
		}
	}
	return files.at(-1) ?? uri;
}

async function linkTextOf(file: vscode.Uri): Promise<string | undefined> {
	try {
		return new TextDecoder().decode(await vscode.workspace.fs.readFile(await findSidecar(file)));
	} catch {
		return undefined;
	}
}

/** The file of a node that a menu or a lens names. */
function uriIn(argument: unknown): vscode.Uri | undefined {
	const { uri } = (typeof argument === 'object' && argument !== null ? argument : {}) as { uri?: unknown };
	return uri instanceof vscode.Uri ? uri : undefined;
}
