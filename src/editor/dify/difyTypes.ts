import type { Event, Uri } from 'vscode';
import type { AppPage, DifyApp, DifyDeployment, DifyManagement, DifyWorkspace } from '#client/dify/management.ts';
import type { LinkState } from '#dify/linkTypes.ts';
import type { DeploymentDrafts } from '../runs/following/runServices.ts';

/** State of a connection's sign-in. Known without sending a request. */
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

/** An app of a connection's deployment. Used as the argument of commands for apps in the tree. */
export interface AppOfDeployment {
	readonly connectionId: string;
	readonly app: DifyApp;
}

/** The deployments of Dify connections, for other features. */
export interface DifyDeployments {
	/** Fires when the state or the apps of a connection (its ID) have changed. */
	readonly onDidChange: Event<string>;
	getState(connectionId: string): ManagementState;
	/** Detects the deployment of a connection, and caches the result. */
	getDeployment(connectionId: string): Promise<DifyDeployment>;
	/**
	 * Returns the management operations of a connection. If the user isn't signed in, asks for a sign-in. If `ask` is false (default true),
	 * rejects with a message that says to sign in.
	 */
	getManagement(connectionId: string, options?: { readonly ask?: boolean }): Promise<DifyManagement>;
	getWorkspace(connectionId: string): Promise<DifyWorkspace | undefined>;
	/**
	 * Loads a page of the workspace's apps, in the order of the service. Pages start at 1. `name` is a text that the names of the apps must
	 * contain.
	 */
	loadAppPage(connectionId: string, query: { readonly page: number; readonly name?: string }): Promise<AppPage>;
	/**
	 * Loads the details of an app, including the state of its service API. Cached until the app changes (`updatedAt`) or {@link reloadApps} is
	 * called.
	 */
	loadApp(of: AppOfDeployment): Promise<DifyApp>;
	/** Loads all apps of the workspace, cached for a while. */
	loadApps(connectionId: string): Promise<readonly DifyApp[]>;
	/** Drops the cached apps. */
	reloadApps(connectionId: string): void;
	/** Returns the connections whose deployment has this origin. Signed-in ones come first. */
	listConnectionsAt(origin: string): readonly string[];
	/** Returns the URL of an app's page in the console: `/app/{id}/workflow`. */
	getAppUrl(connectionId: string, appId: string): Promise<string>;
}

/** The agent file of an app, and how the two compare. */
export interface AppLink {
	readonly uri: Uri;
	/** Undefined if they haven't been compared yet. */
	readonly state: LinkState | undefined;
	/** Number of nodes that differ. Undefined if they haven't been compared yet. */
	readonly nodes?: number;
}

/** Links between agent files and apps. */
export interface AppLinks {
	/** Fires with a connection's ID when its links or their states have changed. */
	readonly onDidChange: Event<string>;
	/** Returns the known link. Doesn't send or read anything. */
	getLink(of: AppOfDeployment): AppLink | undefined;
	/** Compares an app with its file, if it has one. Loads the app from the deployment only if it has changed (`updatedAt`). */
	checkLink(of: AppOfDeployment): Promise<void>;
}

/** The parts of this feature that other features use once it's loaded. */
export interface DifyParts {
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
	/** Runs drafts on their deployments. */
	readonly drafts: DeploymentDrafts;
}

/** Dify deployments, for the tree. Loaded when a Dify connection is first expanded. */
export interface DifyFeature {
	/** Fires when the state, apps or links of a connection (its ID) have changed. */
	readonly onDidChange: Event<string>;
	/** The parts of the feature if they are loaded, otherwise undefined. */
	readonly known: DifyParts | undefined;
	load(): Promise<DifyParts>;
}
