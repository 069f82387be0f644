import type { DifySession, DifyWorkspace } from './management.ts';

/** Result of a sign-in. */
export interface DifySignIn {
	/** Store it as a secret. */
	readonly session: DifySession;
	readonly account: { readonly email: string; readonly name: string } | undefined;
	readonly workspaces: readonly DifyWorkspace[];
	readonly defaultWorkspaceId: string | undefined;
}
