import type { Event } from 'vscode';
import type { DifyApp, DifyDeployment, DifyManagement, DifyWorkspace } from '../client/dify/management.ts';

/** How managing a connection's deployment stands; nothing is sent to find it out. */
export type ManagementState =
	| { readonly kind: 'signed-out' }
	| { readonly kind: 'signed-in'; readonly account: string | undefined; readonly workspaceId: string | undefined }
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
	/** All apps of the workspace, kept for a while. */
	apps(connectionId: string): Promise<readonly DifyApp[]>;
	/** Has the apps asked for again. */
	reload(connectionId: string): void;
	/** Connections whose deployment is at this origin, those that are signed in first. */
	connectionsAt(origin: string): readonly string[];
	/** Where a browser shows an app: `/app/{id}/workflow` of the console. */
	consoleUrl(connectionId: string, appId: string): Promise<string>;
}
