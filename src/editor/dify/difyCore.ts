import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers, DifyCommand } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { DeploymentDrafts } from '../runs/following/runServices.ts';
import { unwrapRows } from './appChoice.ts';
import { DifyAppActions } from './apps/appActions.ts';
import { LinkedApps } from './apps/linkedApps.ts';
import { getConsoleOrigin } from './consoleOrigin.ts';
import { Deployments } from './deployments.ts';
import { DifyClient } from './difyClient.ts';
import type { AppLinks, DifyDeployments, DifyParts } from './difyTypes.ts';
import { DraftActions } from './drafts/draftActions.ts';
import { Drafts } from './drafts/drafts.ts';
import { createDraftWork } from './drafts/draftWork.ts';
import { createManagementHandlers } from './managementActions.ts';
import type { DifyFeatureParts } from './register.ts';
import { SessionStore } from './sessions/sessionStore.ts';
import { SharedTurns } from './sessions/sharedTurns.ts';
import { signInToDeployment } from './sessions/signIn.ts';

/** Implements the commands for deployments and their apps. Loaded on first use. */
export class DifyCore extends DisposableBase implements DifyParts {
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
	/** Resolves when all sign-ins have been read. */
	readonly ready: Promise<void>;
	readonly drafts: DeploymentDrafts;
	readonly #changed = this.register(new vscode.EventEmitter<string>());
	/** Fires when the state, apps or links of a connection (its ID) have changed. */
	readonly onDidChange = this.#changed.event;
	readonly #handlers: CommandHandlers;

	constructor(parts: DifyFeatureParts) {
		super();
		const { context, settings, keys, log } = parts;
		const client = new DifyClient(log);
		const sessions = this.register(new SessionStore(context.secrets, log));
		const turns = this.register(new SharedTurns(path.join(context.globalStorageUri.fsPath, 'dify')));
		const signInToConnection = (id: string): Promise<boolean> => {
			const entry = deployments.getConnectionEntry(id);
			return signInToDeployment({ client, sessions, deployments }, entry, getConsoleOrigin(entry));
		};
		const deployments = this.register(new Deployments({ settings, client, sessions, turns, signIn: signInToConnection }));
		this.deployments = deployments;
		const links = this.register(new LinkedApps({ deployments, log: parts.log }));
		this.links = links;
		this.register(deployments.onDidChange(id => this.#changed.fire(id)));
		this.register(links.onDidChange(id => this.#changed.fire(id)));
		const backups = path.join(parts.dataFolder, 'dify-backups');
		const apps = this.register(new DifyAppActions({ ...parts, deployments, links, backups }));
		const management = createManagementHandlers({ deployments, settings, keys, client, sessions, turns, log, signIn: signInToConnection });
		this.ready = deployments.readSignIns();
		const drafts = new Drafts({ connections: parts.connections, deployments, links });
		this.drafts = drafts;
		const loadDraftWork = async () => createDraftWork(await parts.runs.load());
		const draftActions = this.register(
			new DraftActions({ ...parts, runs: parts.runs.records, work: loadDraftWork, deployments, links, drafts }),
		);
		this.#handlers = { ...management, ...apps.handlers, ...draftActions.handlers };
	}

	executeCommand(command: DifyCommand, argument: unknown, selected?: unknown): unknown {
		return this.#handlers[command]?.(unwrapRows(argument), unwrapRows(selected));
	}
}
