import type { Event, Uri } from 'vscode';
import type { AppPage, DifyApp, DifyDeployment, DifyManagement, DifyWorkspace } from '#client/dify/management.ts';
import type { LinkState } from '#dify/linkTypes.ts';
import type { DeploymentDrafts } from '../runs/following/runServices.ts';

/** State of a connection's sign-in, known without a request. */
export type ManagementState =
	| { readonly kind: 'signed-out' }
	| {
			readonly kind: 'signed-in';
			readonly account: string | undefined;
			readonly workspaceId: string | undefined;
			readonly workspace: string | undefined;
	  }
	/** The token has expired or was revoked. */
	| { readonly kind: 'expired'; readonly account: string | undefined };

/** An app of a connection's deployment. Also the argument of commands for apps in the tree. */
export interface AppOfDeployment {
	readonly connectionId: string;
	readonly app: DifyApp;
}

/** Deployments of Dify connections, as other features use them. */
export interface DifyDeployments {
	/** Fires when the state or the apps of a connection (its ID) have changed. */
	readonly onDidChange: Event<string>;
	getState(connectionId: string): ManagementState;
	/** Detects the deployment of a connection, and caches the result. */
	getDeployment(connectionId: string): Promise<DifyDeployment>;
	/**
	 * Returns the management operations of a connection. If the user isn't signed in, asks for a sign-in (`ask`, default true) or rejects with a message that
	 * says to sign in.
	 */
	getManagement(connectionId: string, options?: { readonly ask?: boolean }): Promise<DifyManagement>;
	getWorkspace(connectionId: string): Promise<DifyWorkspace | undefined>;
	/** Loads a page (from 1) of the workspace's apps in the order of the service. `name` filters by a text in the app's name. */
	loadAppPage(connectionId: string, query: { readonly page: number; readonly name?: string }): Promise<AppPage>;
	/** Loads the details of an app, with the state of its service API. Cached until the app changes (`updatedAt`) or {@link reload}. */
	loadApp(of: AppOfDeployment): Promise<DifyApp>;
	/** Loads all apps of the workspace, cached for a while. */
	loadApps(connectionId: string): Promise<readonly DifyApp[]>;
	/** Drops the cached apps. */
	reload(connectionId: string): void;
	/** Returns the connections with a deployment at this origin, those with a sign-in first. */
	listConnectionsAt(origin: string): readonly string[];
	/** Returns the page of an app in the console: `/app/{id}/workflow`. */
	getAppUrl(connectionId: string, appId: string): Promise<string>;
}

/** The agent file of an app, and how the two compare. */
export interface AppLink {
	readonly uri: Uri;
	/** `undefined` if not compared yet. */
	readonly state: LinkState | undefined;
	/** Number of nodes that differ, if compared. */
	readonly nodes?: number;
}

/** Links between agent files and apps. */
export interface AppLinks {
	/** Fires with a connection's ID when its links or their states have changed. */
	readonly onDidChange: Event<string>;
	/** Returns the known link without sending or reading anything. */
	getLink(of: AppOfDeployment): AppLink | undefined;
	/** Compares an app with its file, if it has one. Loads the app from the deployment only if it has changed (`updatedAt`). */
	check(of: AppOfDeployment): Promise<void>;
}

/** The parts of this feature that others use once it's loaded. */
export interface DifyParts {
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
	/** Runs of drafts on their deployments. */
	readonly drafts: DeploymentDrafts;
}

/** Deployments as the tree uses them. Loaded when a Dify connection is first expanded. */
export interface DifyFeature {
	/** Fires when the state, apps or links of a connection (its ID) have changed. */
	readonly onDidChange: Event<string>;
	/** The loaded part, if it is loaded. */
	readonly known: DifyParts | undefined;
	load(): Promise<DifyParts>;
}
