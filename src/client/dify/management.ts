import type { ChatEvent } from '#contract/chat.ts';
import type { NodeResultData, WorkflowEvent } from '#contract/events.ts';
import type { HumanInputForm } from '#contract/humanInput.ts';
import type { CallOptions } from '../caller.ts';

/** Which surface of Dify's management a deployment has: the console alone (up to 1.14), `/openapi/v1` of 1.15, of 1.16 and 1.17, or with a catalog (from 1.18). */
export type DifyGeneration = 'console' | 'openapi-1.15' | 'openapi-1.16' | 'openapi-1.18';

/** What a deployment can be asked for; each is a method of {@link DifyManagement} of that name. */
export const managementOperations = [
	'workspaces',
	'switchWorkspace',
	'apps',
	'app',
	'exportApp',
	'importApp',
	'confirmImport',
	'dependencies',
	'checkText',
	'publish',
	'published',
	'versions',
	'restore',
	'streamDraft',
	'streamDraftChat',
	'runNode',
	'stopDraft',
	'runs',
	'run',
	'runNodes',
	'lastNodeRun',
	'draftVariables',
	'keys',
	'createKey',
	'deleteKey',
	'setServiceApi',
	'getForm',
	'submitForm',
	'followRun',
] as const;
export type ManagementOperation = (typeof managementOperations)[number];

/** What was found behind an address, before anybody signed in. */
export interface DifyDeployment {
	/** Scheme, host and port of console and `/openapi`, where keys and sign-ins belong. */
	readonly origin: string;
	readonly generation: DifyGeneration;
	/** The running release, as in `1.13.3`; `undefined` where it does not say. */
	readonly version: string | undefined;
	/** As `SELF_HOSTED` or `CLOUD`; `undefined` where it does not say. */
	readonly edition: string | undefined;
	/** Ways in that it offers: `device` in the browser, `password` for the console. Empty where it offers none (see {@link closedBecause}). */
	readonly signIns: readonly ('device' | 'password')[];
	/** Why it offers none, in a sentence that says what its operator can switch on. */
	readonly closedBecause?: string;
}

/** Modes of apps, as Dify names them; only `workflow` and `advanced-chat` can be overwritten. */
export type DifyMode = 'workflow' | 'advanced-chat' | 'chat' | 'agent-chat' | 'completion' | (string & {});

export interface DifyWorkspace {
	readonly id: string;
	readonly name: string;
	/** As `owner`, `admin`, `editor`, `normal`; `undefined` where it is not said. */
	readonly role: string | undefined;
	/** Whether the console of this account shows it now. */
	readonly current: boolean;
}

export interface DifyApp {
	readonly id: string;
	readonly name: string;
	readonly description: string;
	readonly mode: DifyMode;
	/** Unix seconds; `undefined` where it is not said. */
	readonly updatedAt: number | undefined;
	/** Whether its service API is on; `undefined` in lists that do not say. */
	readonly serviceApi?: boolean;
}

export interface AppPage {
	readonly apps: readonly DifyApp[];
	/** From 1. */
	readonly page: number;
	readonly total: number;
	readonly hasMore: boolean;
}

/** An app as its file. */
export interface ExportedApp {
	/** The text of the agent file, as the deployment wrote it. */
	readonly text: string;
	/** Opaque: names the draft that was exported (from 1.18, and of the console's draft). */
	readonly draftHash: string | undefined;
}

/** How an import ended. `pending`: kept for ten minutes, to be confirmed, because the file is of another version of the format. */
export interface AppImport {
	readonly id: string;
	readonly status: 'completed' | 'completed-with-warnings' | 'pending' | 'failed';
	/** Absent where nothing was made. */
	readonly appId: string | undefined;
	readonly mode: DifyMode | undefined;
	/** Version of the format that the deployment has, and that of the file. */
	readonly currentVersion: string | undefined;
	readonly importedVersion: string | undefined;
	/** Why it failed, or what it warns of. */
	readonly error: string | undefined;
	/** Faults of the file, where the deployment names them, then its hints; a hint has an empty path. */
	readonly details: readonly { readonly path: string; readonly message: string }[];
	/** What the deployment warns of though the import worked, each with its place (from 1.18). */
	readonly warnings: readonly string[];
}

/** What is imported: a new app of a workspace, or (`appId`) the draft of one that is there. */
export interface ImportRequest {
	readonly text: string;
	readonly appId?: string;
	/** From 1.18: refused with the code `draft_changed` where the draft is another one by now. */
	readonly draftHash?: string;
	/** Name of a new app in place of the file's. */
	readonly name?: string;
}

/** A plugin that the app needs and the workspace does not have. */
export interface LeakedDependency {
	readonly type: string;
	/** Its identifier for people, as in `langgenius/openai:0.0.13`. */
	readonly name: string;
}

export interface AppVersion {
	readonly id: string;
	/** Empty where it was given none. */
	readonly name: string;
	readonly comment: string;
	readonly by: string | undefined;
	/** Unix seconds. */
	readonly createdAt: number | undefined;
	readonly current: boolean;
}

/** A key of an app's service API. `token` is whole in the answer to its creation alone. */
export interface AppKey {
	readonly id: string;
	readonly token: string;
	readonly createdAt: number | undefined;
	readonly lastUsedAt: number | undefined;
}

/** A run as lists of it say. */
export interface ManagedRun {
	readonly id: string;
	readonly status: string;
	/** Seconds. */
	readonly elapsedSeconds: number | undefined;
	readonly totalTokens: number | undefined;
	readonly totalSteps: number | undefined;
	/** Unix seconds. */
	readonly createdAt: number | undefined;
	readonly finishedAt: number | undefined;
	readonly by: string | undefined;
	readonly version: string | undefined;
	readonly error: string | undefined;
}

export interface ManagedRunDetail extends ManagedRun {
	readonly inputs: Readonly<Record<string, unknown>> | undefined;
	readonly outputs: Readonly<Record<string, unknown>> | undefined;
	/** The graph that ran, as Dify keeps it. */
	readonly graph: unknown;
}

export interface DraftVariable {
	readonly id: string;
	readonly name: string;
	/** As in `["sys", "query"]` or `["llm", "text"]`. */
	readonly selector: readonly string[];
	readonly type: string;
	readonly value: unknown;
	readonly edited: boolean;
}

export interface RunsQuery {
	/** Runs before this one. */
	readonly lastId?: string;
	/** 1 to 100. */
	readonly limit?: number;
	readonly status?: string;
	/** `debugging`: of the draft; `app-run`: of what is published. */
	readonly triggeredFrom?: 'debugging' | 'app-run';
}

/**
 * What the people who manage a Dify deployment do there, the same for all of its generations. Every method rejects with `ServiceError`; one that
 * {@link offers} does not have rejects with the reason `not-found` and a sentence that names the release from which on it is there. Requests go one after
 * another, no faster than the deployment allows. Nothing is ever sent twice but what only reads: of a request whose reply was lost (`network`, `timeout`)
 * nobody knows whether it worked.
 */
export interface DifyManagement {
	readonly deployment: DifyDeployment;
	/** What this deployment can be asked for, as this account. */
	readonly offers: ReadonlySet<ManagementOperation>;
	/** Workspace that all else is asked of, where the surface takes one; the console's is the account's own current one. */
	readonly workspaceId: string | undefined;

	workspaces(options?: CallOptions): Promise<readonly DifyWorkspace[]>;
	/** Console: moves the account's browser too. */
	switchWorkspace(workspaceId: string, options?: CallOptions): Promise<void>;
	/** A page of apps, from 1. */
	apps(query: { readonly page: number; readonly name?: string; readonly mode?: string }, options?: CallOptions): Promise<AppPage>;
	app(appId: string, options?: CallOptions): Promise<DifyApp>;
	/** The draft, or a version. Secrets are never asked for. */
	exportApp(appId: string, query?: { readonly versionId?: string }, options?: CallOptions): Promise<ExportedApp>;
	importApp(request: ImportRequest, options?: CallOptions): Promise<AppImport>;
	confirmImport(importId: string, options?: CallOptions): Promise<AppImport>;
	dependencies(appId: string, options?: CallOptions): Promise<readonly LeakedDependency[]>;
	/** What the deployment finds wrong with a file, without importing it. */
	checkText(
		text: string,
		appId?: string,
		options?: CallOptions,
	): Promise<readonly { readonly nodeId?: string; readonly message: string }[]>;
	/** Publishes the draft: `name` up to 20 characters, `comment` up to 100, both may be empty. */
	publish(
		appId: string,
		version: { readonly name: string; readonly comment: string },
		options?: CallOptions,
	): Promise<{ readonly warning?: string }>;
	/** The published version; `undefined` where nothing is. */
	published(appId: string, options?: CallOptions): Promise<AppVersion | undefined>;
	/** A page of versions from 1, the newest first. */
	versions(
		appId: string,
		page: number,
		options?: CallOptions,
	): Promise<{ readonly versions: readonly AppVersion[]; readonly hasMore: boolean }>;
	/** Makes a version the draft. */
	restore(appId: string, versionId: string, options?: CallOptions): Promise<void>;
	streamDraft(
		appId: string,
		request: { readonly inputs: Record<string, unknown>; readonly files?: readonly unknown[] },
		options?: CallOptions,
	): AsyncIterableIterator<WorkflowEvent>;
	streamDraftChat(
		appId: string,
		request: { readonly query: string; readonly inputs: Record<string, unknown>; readonly conversationId?: string },
		options?: CallOptions,
	): AsyncIterableIterator<ChatEvent>;
	/** One node of the draft; `inputs` by variable as the surface names them, `{"#node.variable#": value}`. */
	runNode(
		appId: string,
		nodeId: string,
		request: { readonly mode: DifyMode; readonly inputs: Record<string, unknown>; readonly query?: string },
		options?: CallOptions,
	): Promise<NodeResultData>;
	stopDraft(appId: string, taskId: string, options?: CallOptions): Promise<void>;
	runs(
		app: Pick<DifyApp, 'id' | 'mode'>,
		query?: RunsQuery,
		options?: CallOptions,
	): Promise<{ readonly runs: readonly ManagedRun[]; readonly hasMore: boolean }>;
	run(appId: string, runId: string, options?: CallOptions): Promise<ManagedRunDetail>;
	runNodes(appId: string, runId: string, options?: CallOptions): Promise<readonly NodeResultData[]>;
	/** `undefined` where the node was never run in this draft. */
	lastNodeRun(appId: string, nodeId: string, options?: CallOptions): Promise<NodeResultData | undefined>;
	draftVariables(appId: string, options?: CallOptions): Promise<readonly DraftVariable[]>;
	keys(appId: string, options?: CallOptions): Promise<readonly AppKey[]>;
	createKey(appId: string, options?: CallOptions): Promise<AppKey>;
	deleteKey(appId: string, keyId: string, options?: CallOptions): Promise<void>;
	setServiceApi(appId: string, enabled: boolean, options?: CallOptions): Promise<void>;
	/** A form that a paused run of the draft or of what is published waits for. */
	getForm(appId: string, token: string, options?: CallOptions): Promise<HumanInputForm>;
	submitForm(
		appId: string,
		token: string,
		answer: { readonly inputs: Record<string, unknown>; readonly action: string },
		options?: CallOptions,
	): Promise<void>;
	/** Events of a run after its pause. */
	followRun(appId: string, runId: string, options?: CallOptions): AsyncIterableIterator<WorkflowEvent>;
}

/** What a sign-in leaves, to be kept as a secret of its origin: a device login's token, or the console's refresh token (rotated at each use: `kept` is told of it). Never a password. */
export type DifySession =
	| { readonly kind: 'device'; readonly token: string; readonly expiresAt: number | undefined; readonly email: string | undefined }
	| { readonly kind: 'console'; readonly refreshToken: string; readonly email: string | undefined }
	| { readonly kind: 'admin'; readonly key: string; readonly workspaceId: string };
