import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { DifyApp } from '#client/dify/management.ts';
import { FolderBackups } from '#dify/files/folderBackups.ts';
import { appsNamed } from '../appChoice.ts';
import type { AppOfDeployment, DifyDeployments } from '../difyTypes.ts';
import type { DifyFeatureParts } from '../register.ts';
import { agentFileMeant, appOf, chooseApps, confirmApps, connectionMeant, fileOfApp, linkedFileAt, notPulled } from './appTargets.ts';
import type { AppWork } from './appWork.ts';
import { ComparedTexts } from './comparedTexts.ts';
import { compareOne } from './comparisons.ts';
import type { LinkedApps } from './linkedApps.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { pushAsNew } from './newApps.ts';
import { publishOne } from './publishing.ts';
import { pullMany } from './pullMany.ts';
import { pullOne } from './pulls.ts';
import { PushConsents } from './pushConsents.ts';
import { pushOne } from './pushes.ts';
import { restoreBackup } from './restoring.ts';
import { showVersions } from './versions.ts';

/** What the actions on apps work with. */
type AppActionParts = Pick<DifyFeatureParts, 'connections' | 'agentFolders' | 'log'> & {
	readonly context: { readonly workspaceState: vscode.Memento };
	readonly deployments: DifyDeployments;
	readonly links: LinkedApps;
	/** Folder of what was in deployments before a push; it need not be there. */
	readonly backups: string;
};

/** Apps become agent files, and agent files apps. Each command takes apps of the tree or an agent file, else means the active editor's. */
export class DifyAppActions extends DisposableBase {
	readonly #work: AppWork;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.difyApp.pull': (argument, selected) => this.#pull(argument, selected),
		'agentWorkbench.difyApp.pullAll': argument => this.#pullAll(argument),
		'agentWorkbench.difyApp.push': argument =>
			this.#withFile(argument, vscode.l10n.t('Push App'), (_of, file) => pushOne(this.#work, { file })),
		'agentWorkbench.difyApp.pushAsNew': async argument => pushAsNew(this.#work, await agentFileMeant(argument)),
		'agentWorkbench.difyApp.publish': argument =>
			this.#withApp(argument, vscode.l10n.t('Publish App'), (of, file) => publishOne(this.#work, of, file)),
		'agentWorkbench.difyApp.versions': argument =>
			this.#withApp(argument, vscode.l10n.t('Versions in Dify'), (of, file) => showVersions(this.#work, of, file)),
		'agentWorkbench.difyApp.compare': argument =>
			this.#withFile(argument, vscode.l10n.t('Compare with Dify'), (of, file) => compareOne(this.#work, of, file)),
		'agentWorkbench.difyApp.restoreBackup': argument =>
			this.#withApp(argument, vscode.l10n.t('Restore App Backup'), (of, file) => restoreBackup(this.#work, of, file)),
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
			compared: this.own(new ComparedTexts()),
			consents: new PushConsents(context.workspaceState),
		};
	}

	async #pull(argument: unknown, selected: unknown): Promise<void> {
		const named = appsNamed(argument, selected);
		const [only, ...others] = named.length > 0 ? named : await this.#appsToPull(argument);
		if (only && others.length === 0) {
			await pullOne(this.#work, only, await fileOfApp(this.#work, only, vscode.l10n.t('Pull App')));
		} else if (only) {
			await pullMany(this.#work, [only, ...others]);
		}
	}

	/** From an agent file that is of an app, that one; else what the user picks of a deployment. */
	async #appsToPull(argument: unknown): Promise<readonly AppOfDeployment[]> {
		const linked = await this.#linkedFile(argument);
		if (linked) {
			await pullOne(this.#work, appOf(this.#work, linked), linked);
			return [];
		}
		const title = vscode.l10n.t('Pull App');
		const connectionId = await connectionMeant(this.#work, argument, title);
		if (connectionId === undefined) {
			return [];
		}
		await this.#work.deployments.management(connectionId);
		return chooseApps(this.#work, connectionId, title);
	}

	/** All apps of a workspace; offers the sign-in where nobody is signed in. */
	async #apps(connectionId: string): Promise<readonly DifyApp[]> {
		await this.#work.deployments.management(connectionId);
		return this.#work.deployments.apps(connectionId);
	}

	async #pullAll(argument: unknown): Promise<void> {
		const title = vscode.l10n.t('Pull All Apps');
		const connectionId = await connectionMeant(this.#work, argument, title);
		if (connectionId !== undefined) {
			const apps = await this.#apps(connectionId);
			// a workspace may have hundreds: what is about to become files is seen first
			const chosen = await confirmApps(this.#work, connectionId, apps, title);
			if (chosen.length > 0) {
				await pullMany(this.#work, chosen);
			}
		}
	}

	/** The linked file that a URI or the active editor is of, where it is one. */
	async #linkedFile(argument: unknown): Promise<LinkedFile | undefined> {
		try {
			return await linkedFileAt(await agentFileMeant(argument));
		} catch (error) {
			if (argument instanceof vscode.Uri) {
				throw error;
			}
			return undefined;
		}
	}

	/** What a command is on: an app of the tree and the file it has here, or an agent file and the app that it is of. */
	async #withApp(
		argument: unknown,
		title: string,
		act: (of: AppOfDeployment, file: LinkedFile | undefined) => Promise<unknown>,
	): Promise<void> {
		const [of] = appsNamed(argument);
		if (of) {
			await act(of, await fileOfApp(this.#work, of, title));
			return;
		}
		const file = await linkedFileAt(await agentFileMeant(argument));
		await act(appOf(this.#work, file), file);
	}

	/** The same for a command that needs a file. */
	#withFile(argument: unknown, title: string, act: (of: AppOfDeployment, file: LinkedFile) => Promise<unknown>): Promise<void> {
		return this.#withApp(argument, title, async (of, file) => {
			if (!file) {
				throw notPulled(of, argument);
			}
			await act(of, file);
		});
	}
}
