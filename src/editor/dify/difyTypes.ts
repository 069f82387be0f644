import type { Event, Uri } from 'vscode';
import type { AppPage, DifyApp, DifyDeployment, DifyManagement, DifyWorkspace } from '#client/dify/management.ts';
import type { LinkState } from '#dify/linkTypes.ts';
import type { DeploymentDrafts } from '../runs/following/runServices.ts';

/** How managing a connection's deployment stands; nothing is sent to find it out. */
export type ManagementState =
	| { readonly kind: 'signed-out' }
	| {
			readonly kind: 'signed-in';
			readonly account: string | undefined;
			readonly workspaceId: string | undefined;
			readonly workspace: string | undefined;
	  }
	/** The sign-in has ended: a token that expired or was revoked. */
	| { readonly kind: 'expired'; readonly account: string | undefined };

/** An app of a connection's deployment; also what commands on apps are called with by the tree. */
export interface AppOfDeployment {
	readonly connectionId: string;
	readonly app: DifyApp;
}

/** What other parts may ask of the deployments behind Dify connections. */
export interface DifyDeployments {
	/** State or apps of a connection (its ID) changed. */
	readonly onDidChange: Event<string>;
	state(connectionId: string): ManagementState;
	/** What was found behind the connection; asks it once and keeps the answer. */
	deployment(connectionId: string): Promise<DifyDeployment>;
	/**
	 * Rejects with a sentence that says what to do (sign in) where nobody has signed in or the sign-in ended. `ask` (default true): offers the sign-in then.
	 */
	management(connectionId: string, options?: { readonly ask?: boolean }): Promise<DifyManagement>;
	workspace(connectionId: string): Promise<DifyWorkspace | undefined>;
	/** A page of the workspace's apps as the service orders them, from 1; `name`: those whose name has this text. */
	appPage(connectionId: string, query: { readonly page: number; readonly name?: string }): Promise<AppPage>;
	/** An app in full, with whether its service API is on; kept until the app is another one (`updatedAt`) or {@link reload}. */
	app(of: AppOfDeployment): Promise<DifyApp>;
	/** All apps of the workspace, kept for a while. */
	apps(connectionId: string): Promise<readonly DifyApp[]>;
	/** Has the apps asked for again. */
	reload(connectionId: string): void;
	/** Connections whose deployment is at this origin, those that are signed in first. */
	connectionsAt(origin: string): readonly string[];
	/** Where a browser shows an app: `/app/{id}/workflow` of the console. */
	consoleUrl(connectionId: string, appId: string): Promise<string>;
}

/** The agent file of an app, and how it stands to it. */
export interface AppLink {
	readonly uri: Uri;
	/** `undefined`: not compared yet with what is there now. */
	readonly state: LinkState | undefined;
	/** Nodes that differ, where it was compared. */
	readonly nodes?: number;
}

/** Which agent files are of which apps. */
export interface AppLinks {
	/** Links of a connection (its ID) changed, or how they stand. */
	readonly onDidChange: Event<string>;
	/** What is known; nothing is sent and nothing is read. */
	linkOf(of: AppOfDeployment): AppLink | undefined;
	/** Compares an app with its file; asks the deployment for what it has only where it has changed since (`updatedAt`). Never rejects for want of a file. */
	check(of: AppOfDeployment): Promise<void>;
}

/** What the chunk of deployments gives to others. */
export interface DifyParts {
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
	/** Drafts that run on their deployments. */
	readonly drafts: DeploymentDrafts;
}

/** Deployments as the tree knows them: loaded once a Dify connection is looked into. */
export interface DifyFeature {
	/** State, apps or links of a connection (its ID) changed. */
	readonly onDidChange: Event<string>;
	/** What is loaded, if it is. */
	readonly known: DifyParts | undefined;
	load(): Promise<DifyParts>;
}
