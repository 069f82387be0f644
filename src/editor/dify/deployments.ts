import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { Problem, reasonOf } from '#base/problems.ts';
import type { AppPage, DifyApp, DifyDeployment, DifyManagement, DifySession, DifyWorkspace } from '#client/dify/management.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import type { ConnectionSettings } from '../connections/connectionSettings.ts';
import { AppLists } from './appLists.ts';
import { consoleOrigin } from './consoleOrigin.ts';
import type { DifyClient } from './difyClient.ts';
import { codeOf, difyProblem, signedOut, signInEnded } from './difyProblem.ts';
import type { AppOfDeployment, DifyDeployments, ManagementState } from './difyTypes.ts';
import { OpenManagements } from './openManagements.ts';
import { ownerOf } from './sessions/sessionOwner.ts';
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

/** Manages the deployments of Dify connections: sign-ins, supported operations and apps. */
export class Deployments extends DisposableBase implements DifyDeployments {
	readonly #parts: DeploymentParts;
	readonly #found = new Map<string, Promise<DifyDeployment>>();
	readonly #managements: OpenManagements;
	readonly #apps: AppLists;
	readonly #changed = this.own(new vscode.EventEmitter<string>());
	readonly onDidChange = this.#changed.event;

	constructor(parts: DeploymentParts) {
		super();
		this.#parts = parts;
		this.#managements = new OpenManagements({ ...parts, onFault: (entry, error) => this.#doubt(entry, error) });
		this.#apps = this.own(new AppLists(id => this.management(id, { ask: false })));
		this.own(parts.sessions.onDidChange(id => this.reload(id)));
		this.own(parts.settings.onDidChange(() => void this.readSignIns()));
	}

	/** Reads all sign-ins from the keyring. {@link state} is correct once this has resolved. */
	async readSignIns(): Promise<void> {
		const entries = this.#entries();
		await Promise.all(entries.map(entry => this.#parts.sessions.get(ownerOf(entry))));
		for (const { id } of entries) {
			this.#changed.fire(id);
		}
	}

	state(connectionId: string): ManagementState {
		const entry = this.#entries().find(({ id }) => id === connectionId);
		const signIn = entry && this.#parts.sessions.known(ownerOf(entry));
		if (!signIn) {
			return { kind: 'signed-out' };
		}
		const { account, workspaceId, workspace } = signIn;
		return isOver(signIn) ? { kind: 'expired', account } : { kind: 'signed-in', account, workspaceId, workspace };
	}

	deployment(connectionId: string): Promise<DifyDeployment> {
		return this.at(this.entry(connectionId));
	}

	/** Detects the deployment of an entry that may no longer be in the settings. */
	at(entry: ConnectionEntry): Promise<DifyDeployment> {
		const origin = consoleOrigin(entry);
		return (this.#found.get(origin) ?? this.detect(origin)).catch((error: unknown) => {
			throw difyProblem(error, entry);
		});
	}

	/** Detects the deployment at an origin again, and caches the result. */
	detect(origin: string, signal?: AbortSignal): Promise<DifyDeployment> {
		const found = this.#parts.client.detect(origin, signal);
		this.#found.set(origin, found);
		found.catch(() => this.#found.get(origin) === found && this.#found.delete(origin));
		return found;
	}

	/** True if a connection exists and its apps are managed at this origin. */
	isAt(connectionId: string, origin: string): boolean {
		return this.#entries().some(entry => entry.id === connectionId && consoleOrigin(entry) === origin);
	}

	async management(connectionId: string, { ask = true }: { readonly ask?: boolean } = {}): Promise<DifyManagement> {
		const entry = this.entry(connectionId);
		const signIn = await this.#parts.sessions.get(ownerOf(entry));
		if (signIn && !isOver(signIn)) {
			return this.#managements.get(entry, signIn, await this.deployment(connectionId));
		}
		if (ask && (await this.#parts.signIn(connectionId))) {
			return this.management(connectionId, { ask: false });
		}
		if (ask) {
			// no message: the user was asked to sign in and canceled
			throw new vscode.CancellationError();
		}
		throw signIn ? signInEnded(entry) : signedOut(entry);
	}

	async workspace(connectionId: string): Promise<DifyWorkspace | undefined> {
		const { workspaceId } = this.#signedIn(connectionId);
		const workspaces = await (await this.management(connectionId)).workspaces();
		return workspaces.find(({ id }) => id === workspaceId) ?? workspaces.find(({ current }) => current);
	}

	async appPage(connectionId: string, query: { readonly page: number; readonly name?: string }): Promise<AppPage> {
		return (await this.management(connectionId, { ask: false })).apps(query);
	}

	app(of: AppOfDeployment): Promise<DifyApp> {
		return this.#apps.one(of);
	}

	apps(connectionId: string): Promise<readonly DifyApp[]> {
		return this.#apps.all(connectionId);
	}

	reload(connectionId: string): void {
		const entry = this.#entries().find(({ id }) => id === connectionId);
		if (entry) {
			this.#found.delete(consoleOrigin(entry));
		}
		this.#apps.forget(connectionId);
		this.#changed.fire(connectionId);
	}

	connectionsAt(origin: string): readonly string[] {
		const here = this.#entries().filter(entry => entry.deployment === undefined && consoleOrigin(entry) === origin);
		const rank = ({ id }: ConnectionEntry) => (this.state(id).kind === 'signed-in' ? 0 : 1);
		return here.sort((a, b) => rank(a) - rank(b)).map(({ id }) => id);
	}

	async consoleUrl(connectionId: string, appId: string): Promise<string> {
		return `${consoleOrigin(this.entry(connectionId))}/app/${encodeURIComponent(appId)}/workflow`;
	}

	/** Returns the settings entry of a Dify connection. Throws a {@link Problem} if there is none. */
	entry(connectionId: string): ConnectionEntry {
		const entry = this.#entries().find(({ id }) => id === connectionId);
		if (!entry) {
			throw new Problem('unknown-connection', vscode.l10n.t("Dify connection '{0}' doesn't exist.", connectionId));
		}
		return entry;
	}

	/** Detects a deployment again after unexpected responses: an update may have changed its paths and operations. */
	#doubt(entry: ConnectionEntry, error: unknown): void {
		const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
		const isOther = reasonOf(error) === 'protocol' || codeOf(error) === 'switched_off' || codeOf(error) === 'not_offered';
		if (isOther || [404, 405, 410, 412, 426].includes(status as number)) {
			this.#found.delete(consoleOrigin(entry));
		}
	}

	#signedIn(connectionId: string): Partial<SignIn> {
		return this.#parts.sessions.known(ownerOf(this.entry(connectionId))) ?? {};
	}

	#entries(): ConnectionEntry[] {
		return this.#parts.settings.list().filter(({ kind }) => kind === 'dify');
	}
}

function isOver({ session }: SignIn): boolean {
	return session === undefined || (session.kind === 'device' && expiresAt(session) <= Date.now());
}

/** Returns the expiry time in Unix milliseconds. */
function expiresAt({ expiresAt: seconds }: Extract<DifySession, { kind: 'device' }>): number {
	return seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000;
}
