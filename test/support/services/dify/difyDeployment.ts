import { randomBytes, randomUUID } from 'node:crypto';
import { closeServers, getServerUrl, listenOnLoopback } from '../loopback.ts';
import { importAppFile } from './appImport.ts';
import { createAppPackage } from './appPackage.ts';
import { createConsoleSurface } from './console/consoleSurface.ts';
import { createDifyServer } from './difyServer.ts';
import type { Exchange, Surface } from './exchange.ts';
import { Faults } from './faults.ts';
import { Catalog } from './openapi/catalog.ts';
import { createOpenapiSurface } from './openapi/openapiSurface.ts';
import { PendingImports } from './pendingImports.ts';
import { getRelease, type Release } from './releases.ts';
import { DraftMemory } from './runs/draftMemory.ts';
import { Play } from './runs/runPlayer.ts';
import { Runs } from './runs/runs.ts';
import { filesSurface } from './service/agentChats.ts';
import { Chats } from './service/chats.ts';
import { createServiceSurface } from './service/serviceSurface.ts';
import { Sessions } from './sessions.ts';
import type { FakeAccount, FakeApp, FakeWorkflow, FakeWorkspace } from './state.ts';
import { publishVersion } from './versions.ts';

export interface DifyOptions {
	/** For example `1.9.1`, `1.13.3`, `1.18.0`. */
	readonly release: string;
	/** `OPENAPI_ENABLED`; default true. */
	readonly openapiEnabled?: boolean;
	/** `ENABLE_OAUTH_BEARER`; default true. */
	readonly bearerEnabled?: boolean;
	/** Uses the cookie names of a console with https addresses. */
	readonly hostCookies?: boolean;
	/** Enables password login; default true. */
	readonly passwordLogin?: boolean;
	/** `ADMIN_API_KEY`. */
	readonly adminKey?: string;
	/** Requests per minute and token; default 60. */
	readonly rateLimit?: number;
	/** Status for a revoked or expired token; default 401. */
	readonly deadTokenStatus?: 401 | 500;
	/** Maximum number of apps in the plan. */
	readonly appLimit?: number;
	readonly edition?: 'SELF_HOSTED' | 'CLOUD';
	/** Role of the account in its workspace; default `owner`. */
	readonly role?: string;
	/** Polling interval of a device login in seconds; default 5. */
	readonly deviceInterval?: number;
	/** Plugins of the workspace, for example `langgenius/openai`; all others are missing dependencies. */
	readonly plugins?: readonly string[];
}

/** A logged request, without headers, body or tokens. */
export interface LoggedRequest {
	readonly method: string;
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	/** `undefined` until the response. */
	status: number | undefined;
}

/** A fake Dify deployment on loopback. Its state is public, so that a test can inspect it and change it like another user in a browser. */
export class DifyDeployment {
	#release: Release;
	readonly options: DifyOptions;
	readonly faults = new Faults();
	readonly catalog = new Catalog();
	readonly sessions: Sessions;
	readonly pending = new PendingImports();
	/** Results of draft runs: variables, last runs of nodes. */
	readonly drafts = new DraftMemory();
	readonly runs: Runs;
	readonly chats = new Chats();
	/** Controls how nodes run. */
	readonly play = new Play();
	readonly workspaces: FakeWorkspace[] = [];
	readonly account: FakeAccount;
	readonly apps: FakeApp[] = [];
	readonly requests: LoggedRequest[] = [];
	/** Issued or stored secrets that no log, file or message may contain. */
	readonly secrets = new Set<string>();
	/** Creates the package that its console exports unless asked for YAML; a test can damage it. */
	packageOf: (text: string) => Uint8Array = createAppPackage;
	/** True if its console sends packages even when asked for YAML, like a proxy that drops the query. */
	sendsPackages = false;
	/** Returns fields that an import adds to a node's data if missing, as newer releases do. */
	fillsIn: ((data: Readonly<Record<string, unknown>>) => Record<string, unknown>) | undefined;
	/** Warnings of each import, from 1.18 on. */
	readonly importWarnings: Readonly<Record<string, unknown>>[] = [];
	/** Internal errors of the fake; a test can assert that there are none. */
	readonly errors: unknown[] = [];
	readonly #server;
	#surfaces: readonly Surface[];
	#moved = 0;
	#frozen: number | undefined;

	constructor(options: DifyOptions) {
		this.options = options;
		this.#release = getRelease(options.release);
		this.sessions = new Sessions(this);
		this.runs = new Runs(this);
		const workspace = { id: randomUUID(), name: "Ana's Workspace" };
		this.workspaces.push(workspace);
		this.account = {
			id: randomUUID(),
			email: 'ana@example.com',
			name: 'Ana',
			password: this.createSecret('password-'),
			banned: false,
			roles: new Map([[workspace.id, options.role ?? 'owner']]),
			currentWorkspace: workspace.id,
			failedLogins: 0,
		};
		if (options.adminKey) {
			this.secrets.add(options.adminKey);
		}
		this.#surfaces = this.#createSurfaces();
		this.#server = createDifyServer(this, () => this.#surfaces);
	}

	async start(): Promise<void> {
		await listenOnLoopback(this.#server);
	}

	async stop(): Promise<void> {
		await closeServers(this.#server);
	}

	get release(): Release {
		return this.#release;
	}

	/** Updates it to another release; its data is kept. */
	updateRelease(release: string): void {
		this.#release = getRelease(release);
		this.#surfaces = this.#createSurfaces();
	}

	/** Scheme, host and port. */
	get origin(): string {
		return getServerUrl(this.#server);
	}

	get workspace(): FakeWorkspace {
		return this.workspaces[0]!;
	}

	/** Returns the time of its clock in Unix seconds. */
	getTime(): number {
		return (this.#frozen ?? Date.now() / 1000) + this.#moved;
	}

	/** Stops its clock; only {@link advanceClock} moves it then. */
	freezeClock(): void {
		this.#frozen ??= Date.now() / 1000;
	}

	/** Advances its clock by seconds. */
	advanceClock(seconds: number): void {
		this.#moved += seconds;
	}

	/** Creates a secret with this prefix and adds it to {@link secrets}. */
	createSecret(prefix: string): string {
		const secret = prefix + randomBytes(18).toString('base64url');
		this.secrets.add(secret);
		return secret;
	}

	/** Adds a workspace to the account. */
	addWorkspace(name: string, role = 'editor'): FakeWorkspace {
		const workspace = { id: randomUUID(), name };
		this.workspaces.push(workspace);
		this.account.roles.set(workspace.id, role);
		return workspace;
	}

	/** Adds an app from its file as another user, by default in the first workspace. Throws if the file isn't an app. */
	addApp(text: string, workspaceId = this.workspace.id): FakeApp {
		const done = importAppFile(this, { workspaceId, text });
		const app = this.apps.find(each => each.id === done.appId);
		if (!app) {
			throw new Error(`Not an app: ${done.error}`);
		}
		return app;
	}

	/** Creates a key of an app's service API as another user. */
	addKey(app: FakeApp): string {
		const token = this.createSecret('app-');
		app.keys.push({ id: randomUUID(), token, createdAt: this.getTime(), lastUsedAt: null });
		return token;
	}

	/** Publishes a draft as another user in the browser. */
	publishDraft(app: FakeApp, name = ''): FakeWorkflow {
		return publishVersion(this, app, { name, comment: '' });
	}

	/** Changes a draft as another user in the browser. */
	editDraft(app: FakeApp, change: (draft: FakeWorkflow) => void): void {
		if (!app.draft) {
			throw new Error(`${app.name} has no draft`);
		}
		change(app.draft);
		app.draft.updatedAt = this.getTime();
	}

	/** Returns the headers of every response of a surface. */
	getSurfaceHeaders(surface: Surface | undefined): Record<string, string> {
		const catalog: Record<string, string> =
			this.release.openapi === '1.18' && surface?.prefix === '/openapi/v1'
				? { 'x-dify-catalog': this.catalog.computeHash(surface.getRoutes()) }
				: {};
		return { 'x-version': this.release.version, 'x-env': 'PRODUCTION', ...catalog };
	}

	/** Called with each request. */
	watch: (exchange: Exchange) => unknown = () => {};

	logRequest(exchange: Exchange): LoggedRequest {
		this.watch(exchange);
		const { method, path, query } = exchange;
		const entry: LoggedRequest = { method, path, query: Object.fromEntries(query), status: undefined };
		this.requests.push(entry);
		return entry;
	}

	#createSurfaces(): readonly Surface[] {
		return [createOpenapiSurface(this), createConsoleSurface(this), createServiceSurface(this), filesSurface];
	}
}

/** Starts a deployment on a free port of loopback. */
export async function startDifyDeployment(options: DifyOptions): Promise<DifyDeployment> {
	const fake = new DifyDeployment(options);
	await fake.start();
	return fake;
}
