import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorReason, Problem } from '#base/problems.ts';
import type { AppPage, DifyApp, DifyDeployment, DifyManagement, DifySession, DifyWorkspace } from '#client/dify/management.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import type { ConnectionSettings } from '../connections/connectionSettings.ts';
import { AppLists } from './appLists.ts';
import { getConsoleOrigin } from './consoleOrigin.ts';
import type { DifyClient } from './difyClient.ts';
import { createSignedOutProblem, createSignInExpiredProblem, getErrorCode, toDifyProblem } from './difyProblem.ts';
import type { AppOfDeployment, DifyDeployments, ManagementState } from './difyTypes.ts';
import { OpenManagements } from './openManagements.ts';
import { getSessionOwner } from './sessions/sessionOwner.ts';
import type { SessionStore, SignIn } from './sessions/sessionStore.ts';
import type { SharedTurns } from './sessions/sharedTurns.ts';

interface DeploymentParts {
	readonly settings: ConnectionSettings;
	readonly client: DifyClient;
	readonly sessions: SessionStore;
	readonly turns: SharedTurns;
	/** Asks the user to sign in to a connection. Resolves to true if that worked. */
	readonly signIn: (connectionId: string) => Promise<boolean>;
}

/** Manages the deployments of Dify connections: sign-ins, supported operations, and apps. */
export class Deployments extends DisposableBase implements DifyDeployments {
	readonly #parts: DeploymentParts;
	readonly #found = new Map<string, Promise<DifyDeployment>>();
	readonly #managements: OpenManagements;
	readonly #apps: AppLists;
	readonly #changed = this.register(new vscode.EventEmitter<string>());
	readonly onDidChange = this.#changed.event;

	constructor(parts: DeploymentParts) {
		super();
		this.#parts = parts;
		this.#managements = new OpenManagements({ ...parts, onFault: (entry, error) => this.#dropAfterUnexpectedError(entry, error) });
		this.#apps = this.register(new AppLists(id => this.getManagement(id, { ask: false })));
		this.register(parts.sessions.onDidChange(id => this.reloadApps(id)));
		this.register(parts.settings.onDidChange(() => void this.readSignIns()));
	}

	/** Reads all sign-ins from the keyring. {@link getState} is correct once this has resolved. */
	async readSignIns(): Promise<void> {
		const entries = this.#listEntries();
		await Promise.all(entries.map(entry => this.#parts.sessions.get(getSessionOwner(entry))));
		for (const { id } of entries) {
			this.#changed.fire(id);
		}
	}

	getState(connectionId: string): ManagementState {
		const entry = this.#listEntries().find(({ id }) => id === connectionId);
		const signIn = entry && this.#parts.sessions.getLastRead(getSessionOwner(entry));
		if (!signIn) {
			return { kind: 'signed-out' };
		}
		const { account, workspaceId, workspace } = signIn;
		return isSessionExpired(signIn) ? { kind: 'expired', account } : { kind: 'signed-in', account, workspaceId, workspace };
	}

	getDeployment(connectionId: string): Promise<DifyDeployment> {
		return this.getDeploymentOfEntry(this.getConnectionEntry(connectionId));
	}

	/** Detects the deployment of a connection entry, which may no longer be in the settings. */
	getDeploymentOfEntry(entry: ConnectionEntry): Promise<DifyDeployment> {
		const origin = getConsoleOrigin(entry);
		return (this.#found.get(origin) ?? this.detectDeployment(origin)).catch((error: unknown) => {
			throw toDifyProblem(error, entry);
		});
	}

	/** Detects the deployment at an origin again, and caches the result. */
	detectDeployment(origin: string, signal?: AbortSignal): Promise<DifyDeployment> {
		const found = this.#parts.client.detectDeployment(origin, signal);
		this.#found.set(origin, found);
		found.catch(() => this.#found.get(origin) === found && this.#found.delete(origin));
		return found;
	}

	/** True if a connection exists and its apps are managed at this origin. */
	isManagedAt(connectionId: string, origin: string): boolean {
		return this.#listEntries().some(entry => entry.id === connectionId && getConsoleOrigin(entry) === origin);
	}

	async getManagement(connectionId: string, { ask = true }: { readonly ask?: boolean } = {}): Promise<DifyManagement> {
		const entry = this.getConnectionEntry(connectionId);
		const signIn = await this.#parts.sessions.get(getSessionOwner(entry));
		if (signIn && !isSessionExpired(signIn)) {
			return this.#managements.get(entry, signIn, await this.getDeployment(connectionId));
		}
		if (ask && (await this.#parts.signIn(connectionId))) {
			return this.getManagement(connectionId, { ask: false });
		}
		if (ask) {
			// show no message, because the user was asked to sign in and canceled
			throw new vscode.CancellationError();
		}
		throw signIn ? createSignInExpiredProblem(entry) : createSignedOutProblem(entry);
	}

	async getWorkspace(connectionId: string): Promise<DifyWorkspace | undefined> {
		const { workspaceId } = this.#getSignIn(connectionId);
		const workspaces = await (await this.getManagement(connectionId)).workspaces();
		return workspaces.find(({ id }) => id === workspaceId) ?? workspaces.find(({ current }) => current);
	}

	async loadAppPage(connectionId: string, query: { readonly page: number; readonly name?: string }): Promise<AppPage> {
		return (await this.getManagement(connectionId, { ask: false })).apps(query);
	}

	loadApp(of: AppOfDeployment): Promise<DifyApp> {
		return this.#apps.loadApp(of);
	}

	loadApps(connectionId: string): Promise<readonly DifyApp[]> {
		return this.#apps.loadAppList(connectionId);
	}

	reloadApps(connectionId: string): void {
		const entry = this.#listEntries().find(({ id }) => id === connectionId);
		if (entry) {
			this.#found.delete(getConsoleOrigin(entry));
		}
		this.#apps.dropConnection(connectionId);
		this.#changed.fire(connectionId);
	}

	listConnectionsAt(origin: string): readonly string[] {
		const here = this.#listEntries().filter(entry => entry.deployment === undefined && getConsoleOrigin(entry) === origin);
		const getSignInRank = ({ id }: ConnectionEntry) => (this.getState(id).kind === 'signed-in' ? 0 : 1);
		return here.sort((a, b) => getSignInRank(a) - getSignInRank(b)).map(({ id }) => id);
	}

	async getAppUrl(connectionId: string, appId: string): Promise<string> {
		return `${getConsoleOrigin(this.getConnectionEntry(connectionId))}/app/${encodeURIComponent(appId)}/workflow`;
	}

	/** Returns the settings entry of a Dify connection. Throws a {@link Problem} if there is none. */
	getConnectionEntry(connectionId: string): ConnectionEntry {
		const entry = this.#listEntries().find(({ id }) => id === connectionId);
		if (!entry) {
			throw new Problem('unknown-connection', vscode.l10n.t("Dify connection '{0}' doesn't exist.", connectionId));
		}
		return entry;
	}

	/** Drops a detected deployment after an unexpected response, because an update may have changed its paths and operations. */
	#dropAfterUnexpectedError(entry: ConnectionEntry, error: unknown): void {
		const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
		const isOther = getErrorReason(error) === 'protocol' || getErrorCode(error) === 'switched_off' || getErrorCode(error) === 'not_offered';
		if (isOther || [404, 405, 410, 412, 426].includes(status as number)) {
			this.#found.delete(getConsoleOrigin(entry));
		}
	}

	#getSignIn(connectionId: string): Partial<SignIn> {
		return this.#parts.sessions.getLastRead(getSessionOwner(this.getConnectionEntry(connectionId))) ?? {};
	}

	#listEntries(): ConnectionEntry[] {
		return this.#parts.settings.listEntries().filter(({ kind }) => kind === 'dify');
	}
}

function isSessionExpired({ session }: SignIn): boolean {
	return session === undefined || (session.kind === 'device' && getExpiryTime(session) <= Date.now());
}

/** Returns the expiry time of a sign-in in Unix milliseconds. */
function getExpiryTime({ expiresAt: seconds }: Extract<DifySession, { kind: 'device' }>): number {
	return seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000;
}
