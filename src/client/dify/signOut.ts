import type { CallOptions } from '../caller.ts';
import { ServiceError } from '../errors/serviceError.ts';
import { ConsoleSession } from './console/consoleSession.ts';
import type { DeploymentAccess } from './detectDeployment.ts';
import type { DifyDeployment, DifySession } from './management.ts';
import { DeviceSession } from './openapi/deviceSession.ts';
import { parseManagedOrigin } from './origins.ts';
import { getConsoleRelease } from './releases.ts';
import type { Credentials } from './requests/credentials.ts';
import type { ManagementRequest } from './requests/managementRequest.ts';
import { ManagementRequests } from './requests/managementRequests.ts';
import { SignInSecrets } from './requests/signInSecrets.ts';

/**
 * Revokes a session at the deployment. Resolves if the session has already ended, and for an admin key, which can't be revoked. Callers
 * forget the session in any case: if this rejects with `ServiceError`, the token stays valid until it expires.
 */
export async function signOut(
	deployment: DifyDeployment,
	session: DifySession,
	{ network, onRequest }: DeploymentAccess = {},
	call: CallOptions = {},
): Promise<void> {
	if (session.kind === 'admin') {
		return;
	}
	const secrets = new SignInSecrets([]);
	const ignoreResult = () => undefined;
	const [credentials, request]: [Credentials, ManagementRequest] =
		session.kind === 'device'
			? [
					new DeviceSession(session, deployment.generation, secrets, ignoreResult),
					createSignOutRequest('DELETE', '/openapi/v1/account/sessions/self'),
				]
			: [
					new ConsoleSession(session, getConsoleRelease(deployment), secrets, ignoreResult),
					createSignOutRequest(getConsoleRelease(deployment).sends === 'bearer' ? 'GET' : 'POST', '/console/api/logout'),
				];
	const requests = new ManagementRequests({ origin: parseManagedOrigin(deployment.origin), network, onRequest }, credentials, secrets);
	try {
		await requests.requestReply(request, call);
	} catch (error) {
		if (!(error instanceof ServiceError) || error.code !== 'session_expired') {
			throw error;
		}
	} finally {
		await requests.close();
	}
}

function createSignOutRequest(method: 'GET' | 'POST' | 'DELETE', path: string): ManagementRequest {
	return { purpose: 'signOut', method, path };
}
