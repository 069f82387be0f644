import type { DifySession } from '../management.ts';
import type { Credentials } from '../requests/credentials.ts';
import { sessionExpired } from '../requests/managementFaults.ts';
import type { SignInSecrets } from '../requests/signInSecrets.ts';

/** A deployment's `ADMIN_API_KEY`: what the owner of the named workspace may. */
export function adminKeyCredentials(
	{ key }: Extract<DifySession, { kind: 'admin' }>,
	workspaceId: () => string,
	secrets: SignInSecrets,
): Credentials {
	secrets.add(key);
	return {
		headers: async () => ({ authorization: `Bearer ${key}`, 'x-workspace-id': workspaceId() }),
		async refused({ status }) {
			if (status === 401) {
				throw sessionExpired(status);
			}
			return false;
		},
	};
}
