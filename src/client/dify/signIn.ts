import type { DifySession, DifyWorkspace } from './management.ts';

/** What a sign-in gives. */
export interface DifySignIn {
	/** To be kept as a secret. */
	readonly session: DifySession;
	/** Who signed in. */
	readonly account: { readonly email: string; readonly name: string } | undefined;
	readonly workspaces: readonly DifyWorkspace[];
	readonly defaultWorkspaceId: string | undefined;
}
