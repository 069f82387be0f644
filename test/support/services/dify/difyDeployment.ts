import { randomBytes, randomUUID } from 'node:crypto';
import { closed, listening, urlOf } from '../loopback.ts';
import { importText } from './appImport.ts';
import { appPackage } from './appPackage.ts';
import { consoleSurface } from './console/consoleSurface.ts';
import { difyServer } from './difyServer.ts';
import type { Exchange, Surface } from './exchange.ts';
import { Faults } from './faults.ts';
import { Catalog } from './openapi/catalog.ts';
import { openapiSurface } from './openapi/openapiSurface.ts';
import { PendingImports } from './pendingImports.ts';
import { type Release, releaseOf } from './releases.ts';
import { DraftMemory } from './runs/draftMemory.ts';
import { Play } from './runs/runPlayer.ts';
import { Runs } from './runs/runs.ts';
import { filesSurface } from './service/agentChats.ts';
import { Chats } from './service/chats.ts';
import { serviceSurface } from './service/serviceSurface.ts';
import { Sessions } from './sessions.ts';
import type { FakeAccount, FakeApp, FakeWorkflow, FakeWorkspace } from './state.ts';
import { publish } from './versions.ts';

export interface DifyOptions {
	/** As in `1.9.1`, `1.13.3`, `1.18.0`. */
	readonly release: string;
	/** `OPENAPI_ENABLED`; true unless said. */
	readonly openapiEnabled?: boolean;
	/** `ENABLE_OAUTH_BEARER`; true unless said. */
	readonly bearerEnabled?: boolean;
	/** Cookies named as where both addresses of the console are https. */
	readonly hostCookies?: boolean;
	/** Login with a password; true unless said. */
	readonly passwordLogin?: boolean;
	/** `ADMIN_API_KEY`. */
	readonly adminKey?: string;
	/** Requests in a minute with one token; 60 unless said. */
	readonly rateLimit?: number;
	/** What a token that was revoked or ran out is answered with; 401 unless said. */
	readonly deadTokenStatus?: 401 | 500;
	/** Apps that the plan allows. */
	readonly appLimit?: number;
	readonly edition?: 'SELF_HOSTED' | 'CLOUD';
	/** Role of the account in its workspace; `owner` unless said. */
	readonly role?: string;
	/** Seconds between two questions whether a device login was approved; 5 unless said. */
	readonly deviceInterval?: number;
	/** Plugins that the workspace has, as in `langgenius/openai`; all others leak. */
	readonly plugins?: readonly string[];
}

/** A request as it came: never headers, bodies or tokens. */
export interface LoggedRequest {
	readonly method: string;
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	/** `undefined` until it is answered. */
	status: number | undefined;
}

/** A Dify deployment on loopback: its state stands open, so that a test can look at it and change it as another person in a browser would. */
export class DifyDeployment {
	#release: Release;
	readonly options: DifyOptions;
	readonly faults = new Faults();
	readonly catalog = new Catalog();
	readonly sessions: Sessions;
	readonly pending = new PendingImports();
	/** What draft runs left behind: variables, last runs of nodes. */
	readonly drafts = new DraftMemory();
	readonly runs: Runs;
	readonly chats = new Chats();
	/** How nodes go when they are run. */
	readonly play = new Play();
	readonly workspaces: FakeWorkspace[] = [];
	readonly account: FakeAccount;
	readonly apps: FakeApp[] = [];
	readonly requests: LoggedRequest[] = [];
	/** Whatever it issued or keeps that no log, file or message may show. */
	readonly secrets = new Set<string>();
	/** Makes the package that its console exports unless it is asked for YAML; a test may damage it. */
	packageOf: (text: string) => Uint8Array = appPackage;
	/** Whether its console sends packages even if it is asked for YAML, as a proxy that drops the query makes it do. */
	sendsPackages = false;
	/** Fields that an import adds to a node's data, where it has none of these: as releases fill in what newer ones have. */
	fillsIn: ((data: Readonly<Record<string, unknown>>) => Record<string, unknown>) | undefined;
	/** What each import warns of, from 1.18 on. */
	readonly importWarnings: Readonly<Record<string, unknown>>[] = [];
	/** What went wrong in the fake itself; a test may hold that there is none. */
	readonly errors: unknown[] = [];
	readonly #server;
	#surfaces: readonly Surface[];
	#moved = 0;
	#frozen: number | undefined;

	constructor(options: DifyOptions) {
		this.options = options;
		this.#release = releaseOf(options.release);
		this.sessions = new Sessions(this);
		this.runs = new Runs(this);
		const workspace = { id: randomUUID(), name: "Ana's Workspace" };
		this.workspaces.push(workspace);
		this.account = {
			id: randomUUID(),
			email: 'ana@example.com',
			name: 'Ana',
			password: this.marked('password-'),
			banned: false,
			roles: new Map([[workspace.id, options.role ?? 'owner']]),
			currentWorkspace: workspace.id,
			failedLogins: 0,
		};
		if (options.adminKey) {
			this.secrets.add(options.adminKey);
		}
		this.#surfaces = this.#served();
		this.#server = difyServer(this, () => this.#surfaces);
	}

	async start(): Promise<void> {
		await listening(this.#server);
	}

	async stop(): Promise<void> {
		await closed(this.#server);
	}

	/** What it runs now. */
	get release(): Release {
		return this.#release;
	}

	/** Its operator updates it to another release; all that it has stays. */
	update(release: string): void {
		this.#release = releaseOf(release);
		this.#surfaces = this.#served();
	}

	/** Scheme, host and port. */
	get origin(): string {
		return urlOf(this.#server);
	}

	get workspace(): FakeWorkspace {
		return this.workspaces[0]!;
	}

	/** Unix seconds of its clock, which runs unless it was frozen. */
	now(): number {
		return (this.#frozen ?? Date.now() / 1000) + this.#moved;
	}

	/** Stops its clock, which from then on only {@link advance} moves. */
	freeze(): void {
		this.#frozen ??= Date.now() / 1000;
	}

	/** Moves its clock on, in seconds. */
	advance(seconds: number): void {
		this.#moved += seconds;
	}

	/** A new secret that begins so, remembered among {@link secrets}. */
	marked(prefix: string): string {
		const secret = prefix + randomBytes(18).toString('base64url');
		this.secrets.add(secret);
		return secret;
	}

	/** A further workspace of the account. */
	addWorkspace(name: string, role = 'editor'): FakeWorkspace {
		const workspace = { id: randomUUID(), name };
		this.workspaces.push(workspace);
		this.account.roles.set(workspace.id, role);
		return workspace;
	}

	/** An app as its file says, put there by somebody else; in the first workspace unless said. Throws where the file is no app's. */
	addApp(text: string, workspaceId = this.workspace.id): FakeApp {
		const done = importText(this, { workspaceId, text });
		const app = this.apps.find(each => each.id === done.appId);
		if (!app) {
			throw new Error(`Not an app: ${done.error}`);
		}
		return app;
	}

	/** A new key of an app's service API, made by somebody else. */
	addKey(app: FakeApp): string {
		const token = this.marked('app-');
		app.keys.push({ id: randomUUID(), token, createdAt: this.now(), lastUsedAt: null });
		return token;
	}

	/** Publishes a draft as somebody else does in the browser. */
	publish(app: FakeApp, name = ''): FakeWorkflow {
		return publish(this, app, { name, comment: '' });
	}

	/** Changes a draft as somebody else does in the browser. */
	edit(app: FakeApp, change: (draft: FakeWorkflow) => void): void {
		if (!app.draft) {
			throw new Error(`${app.name} has no draft`);
		}
		change(app.draft);
		app.draft.updatedAt = this.now();
	}

	/** Headers of every answer of a surface. */
	headersOf(surface: Surface | undefined): Record<string, string> {
		const catalog: Record<string, string> =
			this.release.openapi === '1.18' && surface?.prefix === '/openapi/v1' ? { 'x-dify-catalog': this.catalog.hash(surface.routes()) } : {};
		return { 'x-version': this.release.version, 'x-env': 'PRODUCTION', ...catalog };
	}

	/** Sees each request as it came. */
	watch: (exchange: Exchange) => unknown = () => {};

	requested(exchange: Exchange): LoggedRequest {
		this.watch(exchange);
		const { method, path, query } = exchange;
		const entry: LoggedRequest = { method, path, query: Object.fromEntries(query), status: undefined };
		this.requests.push(entry);
		return entry;
	}

	#served(): readonly Surface[] {
		return [openapiSurface(this), consoleSurface(this), serviceSurface(this), filesSurface];
	}
}

/** Starts a deployment on a free port of loopback. */
export async function startDifyDeployment(options: DifyOptions): Promise<DifyDeployment> {
	const fake = new DifyDeployment(options);
	await fake.start();
	return fake;
}
