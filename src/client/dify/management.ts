import type { LocalizableMessage } from '#base/text/localizableMessage.ts';
import type { ChatEvent } from '#contract/chat.ts';
import type { NodeResultData, WorkflowEvent } from '#contract/events.ts';
import type { HumanInputForm } from '#contract/humanInput.ts';
import type { CallOptions } from '../caller.ts';

/**
 * Management API of a deployment: only the console (up to 1.14), `/openapi/v1` of 1.15, of 1.16 and 1.17, or with a catalog (from 1.18).
 */
export type DifyGeneration = 'console' | 'openapi-1.15' | 'openapi-1.16' | 'openapi-1.18';

/** Operations of a deployment; each is a method of {@link DifyManagement} with that name. */
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

/** A deployment detected at an address, before sign-in. */
export interface DifyDeployment {
	/** Scheme, host and port of the console and `/openapi`; keys and sign-ins are bound to it. */
	readonly origin: string;
	readonly generation: DifyGeneration;
	/** Running release, for example `1.13.3`; `undefined` if unknown. */
	readonly version: string | undefined;
	/** `SELF_HOSTED` or `CLOUD`; `undefined` if unknown. */
	readonly edition: string | undefined;
	/** Sign-in methods: `device` in the browser, `password` for the console. Empty if there are none (see {@link closedBecause}). */
	readonly signIns: readonly ('device' | 'password')[];
	/** Why there are no sign-in methods, as a sentence that says what the operator can enable. */
	readonly closedBecause?: LocalizableMessage;
}

/** Modes of apps, as Dify names them; only `workflow` and `advanced-chat` can be overwritten. */
export type DifyMode = 'workflow' | 'advanced-chat' | 'chat' | 'agent-chat' | 'completion' | (string & {});

export interface DifyWorkspace {
	readonly id: string;
	readonly name: string;
	/** For example `owner`, `admin`, `editor` or `normal`; `undefined` if unknown. */
	readonly role: string | undefined;
	/** True if this is the account's current workspace in the console. */
	readonly current: boolean;
}

export interface DifyApp {
	readonly id: string;
	readonly name: string;
	readonly description: string;
	readonly mode: DifyMode;
	/** Unix seconds; `undefined` if unknown. */
	readonly updatedAt: number | undefined;
	/** True if its service API is enabled; `undefined` in lists that don't say. */
	readonly serviceApi?: boolean;
}

export interface AppPage {
	readonly apps: readonly DifyApp[];
	/** Counted from 1. */
	readonly page: number;
	readonly total: number;
	readonly hasMore: boolean;
}

export interface ExportedApp {
	/** Content of the agent file, as the deployment wrote it. */
	readonly text: string;
	/** Opaque hash of the exported draft (from 1.18, and for the console's draft). */
	readonly draftHash: string | undefined;
}

/** Outcome of an import. `pending`: the file has another format version; the import is saved for ten minutes and must be confirmed. */
export interface AppImport {
	readonly id: string;
	readonly status: 'completed' | 'completed-with-warnings' | 'pending' | 'failed';
	/** Absent if no app was created. */
	readonly appId: string | undefined;
	readonly mode: DifyMode | undefined;
	/** Format version of the deployment; `importedVersion` is the file's. */
	readonly currentVersion: string | undefined;
	readonly importedVersion: string | undefined;
	/** Error or warning message. */
	readonly error: string | undefined;
	/** Problems of the file if the deployment names them, followed by its hints. A hint has an empty path. */
	readonly details: readonly { readonly path: string; readonly message: string }[];
	/** Warnings of an import that succeeded, each with its location (from 1.18). */
	readonly warnings: readonly string[];
}

/** Target of an import: a new app of a workspace, or (`appId`) the draft of an existing one. */
export interface ImportRequest {
	readonly text: string;
	readonly appId?: string;
	/** From 1.18: refused with the code `draft_changed` if the draft has changed since. */
	readonly draftHash?: string;
	/** Name of a new app, instead of the file's. */
	readonly name?: string;
}

/** A plugin that the app needs and that the workspace doesn't have. */
export interface LeakedDependency {
	readonly type: string;
	/** Readable identifier, for example `langgenius/openai:0.0.13`. */
	readonly name: string;
}

export interface AppVersion {
	readonly id: string;
	/** Empty if unnamed. */
	readonly name: string;
	readonly comment: string;
	readonly by: string | undefined;
	/** Unix seconds. */
	readonly createdAt: number | undefined;
	readonly current: boolean;
}

/** A key of an app's service API. `token` is complete only in the response that creates it. */
export interface AppKey {
	readonly id: string;
	readonly token: string;
	readonly createdAt: number | undefined;
	readonly lastUsedAt: number | undefined;
}

/** A run, as listed. */
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
	/** The graph that ran, in Dify's format. */
	readonly graph: unknown;
}

export interface DraftVariable {
	readonly id: string;
	readonly name: string;
	/** For example `["sys", "query"]` or `["llm", "text"]`. */
	readonly selector: readonly string[];
	readonly type: string;
	readonly value: unknown;
	readonly edited: boolean;
}

export interface RunsQuery {
	/** Returns runs before this one. */
	readonly lastId?: string;
	/** 1 to 100. */
	readonly limit?: number;
	readonly status?: string;
	/** `debugging`: runs of the draft; `app-run`: runs of the published version. */
	readonly triggeredFrom?: 'debugging' | 'app-run';
}

/**
 * Management of a Dify deployment, the same for all generations. Every method rejects with `ServiceError`. A method that isn't in {@link
 * offers} rejects with the reason `not-found` and a message that names the first release that has it. Requests go one after another, no
 * faster than the deployment allows. Only reads are retried: if the response to another request was lost (`network`, `timeout`), it's
 * unknown whether it worked.
 */
export interface DifyManagement {
	readonly deployment: DifyDeployment;
	/** Operations that this deployment offers to this account. */
	readonly offers: ReadonlySet<ManagementOperation>;
	/** Workspace of all requests, if the API takes one. The console uses the account's current workspace. */
	readonly workspaceId: string | undefined;

	workspaces(options?: CallOptions): Promise<readonly DifyWorkspace[]>;
	/** In the console this also switches the account's browser. */
	switchWorkspace(workspaceId: string, options?: CallOptions): Promise<void>;
	/** Returns a page of apps, counted from 1. */
	apps(query: { readonly page: number; readonly name?: string; readonly mode?: string }, options?: CallOptions): Promise<AppPage>;
	app(appId: string, options?: CallOptions): Promise<DifyApp>;
	/** Exports the draft or a version, always without secrets. */
	exportApp(appId: string, query?: { readonly versionId?: string }, options?: CallOptions): Promise<ExportedApp>;
	importApp(request: ImportRequest, options?: CallOptions): Promise<AppImport>;
	confirmImport(importId: string, options?: CallOptions): Promise<AppImport>;
	dependencies(appId: string, options?: CallOptions): Promise<readonly LeakedDependency[]>;
	/** Returns the problems that the deployment finds in a file, without importing it. */
	checkText(
		text: string,
		appId?: string,
		options?: CallOptions,
	): Promise<readonly { readonly nodeId?: string; readonly message: string }[]>;
	/** Publishes the draft. `name` has up to 20 characters, `comment` up to 100; both may be empty. */
	publish(
		appId: string,
		version: { readonly name: string; readonly comment: string },
		options?: CallOptions,
	): Promise<{ readonly warning?: string }>;
	/** Returns the published version, or `undefined` if there is none. */
	published(appId: string, options?: CallOptions): Promise<AppVersion | undefined>;
	/** Returns a page of versions, counted from 1, newest first. */
	versions(
		appId: string,
		page: number,
		options?: CallOptions,
	): Promise<{ readonly versions: readonly AppVersion[]; readonly hasMore: boolean }>;
	/** Replaces the draft with a version. */
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
	/** Runs one node of the draft. `inputs` are keyed by variable as the API names them, `{"#node.variable#": value}`. */
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
	/** Returns `undefined` if the node hasn't run in this draft. */
	lastNodeRun(appId: string, nodeId: string, options?: CallOptions): Promise<NodeResultData | undefined>;
	draftVariables(appId: string, options?: CallOptions): Promise<readonly DraftVariable[]>;
	keys(appId: string, options?: CallOptions): Promise<readonly AppKey[]>;
	createKey(appId: string, options?: CallOptions): Promise<AppKey>;
	deleteKey(appId: string, keyId: string, options?: CallOptions): Promise<void>;
	setServiceApi(appId: string, enabled: boolean, options?: CallOptions): Promise<void>;
	/** Returns the form that a paused run of the draft or the published version waits for. */
	getForm(appId: string, token: string, options?: CallOptions): Promise<HumanInputForm>;
	submitForm(
		appId: string,
		token: string,
		answer: { readonly inputs: Record<string, unknown>; readonly action: string },
		options?: CallOptions,
	): Promise<void>;
	/** Streams the events of a run after its pause. */
	followRun(appId: string, runId: string, options?: CallOptions): AsyncIterableIterator<WorkflowEvent>;
}

/**
 * Result of a sign-in, to store as a secret of its origin: a device login's token, or the console's refresh token (rotated at each use and
 * reported to `kept`). Never a password.
 */
export type DifySession =
	| { readonly kind: 'device'; readonly token: string; readonly expiresAt: number | undefined; readonly email: string | undefined }
	| { readonly kind: 'console'; readonly refreshToken: string; readonly email: string | undefined }
	| { readonly kind: 'admin'; readonly key: string; readonly workspaceId: string };
