import { getField } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { CallOptions } from '../caller.ts';
import { readErrorBody } from '../errors/errorBodies.ts';
import { createProtocolFault } from '../errors/faults.ts';
import { ServiceError } from '../errors/serviceError.ts';
import type { Reply } from '../replyCollector.ts';
import { readConsoleTokens } from './console/consoleTokens.ts';
import type { DeploymentAccess } from './detectDeployment.ts';
import type { DifyDeployment } from './management.ts';
import { parseManagedOrigin } from './origins.ts';
import { readWorkspaces } from './readers/appReaders.ts';
import type { ReplyFields } from './readers/fields.ts';
import { getConsoleRelease } from './releases.ts';
import { type Credentials, noCredentials } from './requests/credentials.ts';
import type { ManagementRequest } from './requests/managementRequest.ts';
import { ManagementRequests } from './requests/managementRequests.ts';
import { SignInSecrets } from './requests/signInSecrets.ts';
import type { DifySignIn } from './signIn.ts';

interface ConsoleLoginOptions extends DeploymentAccess {
	readonly email: string;
	readonly password: string;
}

const wrongPassword = localizable`The email or password is wrong. After five wrong passwords, Dify locks the account for a day.`;

/** Login errors by Dify's codes. */
const refusals: Readonly<Record<string, LocalizableMessage>> = {
	authentication_failed: wrongPassword,
	email_or_password_mismatch: wrongPassword,
	email_code_login_limit: localizable`Dify has locked this account for a day after too many wrong passwords.`,
	account_banned: localizable`This Dify account is banned. Ask a Dify admin to lift the ban.`,
	not_setup: localizable`This Dify server isn't set up yet. Open it in a browser to set it up.`,
};

/**
 * Signs in to the console with a password, encoded as the deployment's release expects: the wrong encoding would count as a wrong
 * password. Saves only the refresh token. Rejects with `ServiceError`, with Dify's code if it has one.
 */
export async function logInToConsole(
	deployment: DifyDeployment,
	options: ConsoleLoginOptions,
	call: CallOptions = {},
): Promise<DifySignIn> {
	const release = getConsoleRelease(deployment);
	const { email, password, network, onRequest } = options;
	const sent = release.password === 'base64' ? Buffer.from(password).toString('base64') : password;
	const secrets = new SignInSecrets([password, sent]);
	const access = new Access();
	const requests = new ManagementRequests({ origin: parseManagedOrigin(deployment.origin), network, onRequest }, access, secrets);
	const request: ManagementRequest = {
		purpose: 'signIn',
		method: 'POST',
		path: '/console/api/login',
		body: { email, password: sent },
		answers: [400, 401, 403, 429],
	};
	try {
		const reply = await requests.requestReply(request, call);
		const refusal = getLoginRefusal(reply, request, requests);
		if (refusal) {
			throw refusal;
		}
		const tokens = readConsoleTokens(reply, release);
		if (tokens === undefined) {
			throw createProtocolFault(localizable`Dify accepted the password but returned no session`, secrets, { status: reply.status });
		}
		secrets.add(...tokens.secrets);
		access.sent = tokens.headers;
		const list: ManagementRequest = { purpose: 'workspaces', method: 'GET', path: '/console/api/workspaces' };
		const workspaces = await requests.requestJson<ReplyFields, DifySignIn['workspaces']>(list, call, readWorkspaces);
		return {
			session: { kind: 'console', refreshToken: tokens.refreshToken, email },
			account: { email, name: '' },
			workspaces,
			defaultWorkspaceId: workspaces.find(({ current }) => current)?.id,
		};
	} finally {
		await requests.close();
	}
}

/** Has no credentials until the login has succeeded. */
class Access implements Credentials {
	sent: Readonly<Record<string, string>> = {};
	readonly onRefused = noCredentials.onRefused;

	async getHeaders(): Promise<Readonly<Record<string, string>>> {
		return this.sent;
	}
}

/** Returns the error of a login response. Checks 200 responses too, because the error for an account without a workspace is in the body. */
function getLoginRefusal(reply: Reply, request: ManagementRequest, requests: ManagementRequests): ServiceError | undefined {
	const { status, body } = reply;
	if (status < 300) {
		return isFailureBody(body)
			? new ServiceError('auth', localizable`This Dify account isn't in a workspace. Ask a workspace owner for an invitation.`, {
					status,
					code: 'no_workspace',
				})
			: undefined;
	}
	const code = readErrorBody(body).codes[0];
	const known = code !== undefined && Object.hasOwn(refusals, code) ? refusals[code] : undefined;
	if (known) {
		return new ServiceError(status === 429 ? 'rate-limited' : 'auth', known, { status, code });
	}
	if (status === 403) {
		const message = localizable`This Dify server doesn't accept passwords anymore. Sign in another way, or ask its operator.`;
		return new ServiceError('auth', message, { status, code: requests.secrets.redactText(code ?? 'forbidden') });
	}
	return requests.createFault(reply, request);
}

function isFailureBody(body: string): boolean {
	return getField(tryParseJson(body), 'result') === 'fail';
}
