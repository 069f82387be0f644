import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { DifyApp } from '#client/dify/management.ts';
import { BaseTexts } from '#dify/files/baseTexts.ts';
import { FolderBackups } from '#dify/files/folderBackups.ts';
import { ComparedTexts } from '../../platform/comparedTexts.ts';
import { getNamedApps } from '../appChoice.ts';
import type { AppOfDeployment, DifyDeployments } from '../difyTypes.ts';
import type { DifyFeatureParts } from '../register.ts';
import {
	chooseApps,
	chooseDifyConnection,
	chooseFileOfApp,
	confirmApps,
	createNotPulledProblem,
	findAgentFile,
	getLinkedApp,
	readLinkedFile,
} from './appTargets.ts';
import type { AppWork } from './appWork.ts';
import { compareWithDify } from './comparisons.ts';
import type { LinkedApps } from './linkedApps.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { pushFileAsNewApp } from './newApps.ts';
import { publishApp } from './publishing.ts';
import { pullSeveralApps } from './pullMany.ts';
import { pullApp } from './pulls.ts';
import { PushConsents } from './pushConsents.ts';
import { pushFile } from './pushes.ts';
import { restoreBackup } from './restoring.ts';
import { showVersions } from './versions.ts';

type AppActionParts = Pick<DifyFeatureParts, 'connections' | 'agentFolders' | 'log'> & {
	readonly context: { readonly workspaceState: vscode.Memento };
	readonly deployments: DifyDeployments;
	readonly links: LinkedApps;
	/** Folder for backups of what pushes and pulls overwrite. It may not exist yet. */
	readonly backups: string;
};

/**
 * Implements the commands for apps and their agent files. Each command accepts apps of the tree or an agent file. The default is the agent
 * file in the active editor.
 */
export class DifyAppActions extends DisposableBase {
	readonly #work: AppWork;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.difyApp.pull': (argument, selected) => this.#pullApps(argument, selected),
		'agentWorkbench.difyApp.pullAll': argument => this.#pullWorkspace(argument),
		'agentWorkbench.difyApp.push': argument =>
			this.#runForFile(argument, vscode.l10n.t('Push App'), (_of, file) => pushFile(this.#work, { file })),
		'agentWorkbench.difyApp.pushAsNew': async argument => pushFileAsNewApp(this.#work, await findAgentFile(argument)),
		'agentWorkbench.difyApp.publish': argument =>
			this.#runForApp(argument, vscode.l10n.t('Publish App'), (of, file) => publishApp(this.#work, of, file)),
		'agentWorkbench.difyApp.versions': argument =>
			this.#runForApp(argument, vscode.l10n.t('Show App Versions'), (of, file) => showVersions(this.#work, of, file)),
		'agentWorkbench.difyApp.compare': argument =>
			this.#runForFile(argument, vscode.l10n.t('Compare with Dify'), (of, file) => compareWithDify(this.#work, of, file)),
		'agentWorkbench.difyApp.restoreBackup': argument =>
			this.#runForApp(argument, vscode.l10n.t('Restore App Backup'), (of, file) => restoreBackup(this.#work, of, file)),
	};

	constructor({ connections, agentFolders, log, context, deployments, links, backups }: AppActionParts) {
		super();
		this.#work = {
			connections,
			agentFolders,
			log,
			deployments,
			links,
			backups: new FolderBackups(backups, vscode.l10n.t),
			bases: new BaseTexts(path.join(path.dirname(backups), 'dify-bases')),
			compared: this.register(new ComparedTexts('agent-workbench-dify')),
			consents: new PushConsents(context.workspaceState),
		};
	}

	async #pullApps(argument: unknown, selected: unknown): Promise<void> {
		const named = getNamedApps(argument, selected);
		const [only, ...others] = named.length > 0 ? named : await this.#chooseAppsToPull(argument);
		if (only && others.length === 0) {
			await pullApp(this.#work, only, await chooseFileOfApp(this.#work, only, vscode.l10n.t('Pull App')));
		} else if (only) {
			await pullSeveralApps(this.#work, [only, ...others]);
		}
	}

	/** Returns the app of a linked agent file, or asks the user to select apps. */
	async #chooseAppsToPull(argument: unknown): Promise<readonly AppOfDeployment[]> {
		const linked = await this.#findLinkedFile(argument);
		if (linked) {
			await pullApp(this.#work, getLinkedApp(this.#work, linked), linked);
			return [];
		}
		const title = vscode.l10n.t('Pull App');
		const connectionId = await chooseDifyConnection(this.#work, argument, title);
		if (connectionId === undefined) {
			return [];
		}
		await this.#work.deployments.getManagement(connectionId);
		return chooseApps(this.#work, connectionId, title);
	}

	/** Loads all apps of a workspace. Asks the user to sign in if needed. */
	async #loadApps(connectionId: string): Promise<readonly DifyApp[]> {
		await this.#work.deployments.getManagement(connectionId);
		return this.#work.deployments.loadApps(connectionId);
	}

	async #pullWorkspace(argument: unknown): Promise<void> {
		const title = vscode.l10n.t('Pull All Apps');
		const connectionId = await chooseDifyConnection(this.#work, argument, title);
		if (connectionId !== undefined) {
			const apps = await this.#loadApps(connectionId);
			// ask first, because a workspace may have hundreds of apps, and each becomes a file
			const chosen = await confirmApps(this.#work, connectionId, apps, title);
			if (chosen.length > 0) {
				await pullSeveralApps(this.#work, chosen);
			}
		}
	}

	/** Returns the agent file at a URI or in the active editor, if it is linked. */
	async #findLinkedFile(argument: unknown): Promise<LinkedFile | undefined> {
		try {
			return await readLinkedFile(await findAgentFile(argument));
		} catch (error) {
			if (argument instanceof vscode.Uri) {
				throw error;
			}
			return undefined;
		}
	}

	/** Calls `act` with the app that a command is called for and the app's file. The command's argument can be either of them. */
	async #runForApp(
		argument: unknown,
		title: string,
		act: (of: AppOfDeployment, file: LinkedFile | undefined) => Promise<unknown>,
	): Promise<void> {
		const [of] = getNamedApps(argument);
		if (of) {
			await act(of, await chooseFileOfApp(this.#work, of, title));
			return;
		}
		const file = await readLinkedFile(await findAgentFile(argument));
		await act(getLinkedApp(this.#work, file), file);
	}

	/** Like {@link #runForApp}, but rejects if the app has no file. */
	#runForFile(argument: unknown, title: string, act: (of: AppOfDeployment, file: LinkedFile) => Promise<unknown>): Promise<void> {
		return this.#runForApp(argument, title, async (of, file) => {
			if (!file) {
				throw createNotPulledProblem(of, argument);
			}
			await act(of, file);
		});
	}
}
