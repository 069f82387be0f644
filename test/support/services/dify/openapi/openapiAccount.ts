import type { DifyDeployment } from '../difyDeployment.ts';
import { type Exchange, getBodyText, Refusal, Reply } from '../exchange.ts';
import type { Fields } from '../state.ts';
import { createFixedPath, createNewestPath, declareOperation } from './operation.ts';

const knownClients = ['difyctl'];

/** Operations for device logins, the account, sessions and workspaces. */
export const openapiAccount = [
	declareOperation(undefined, 'GET', createFixedPath('/_version'), { open: true }, ({ fake }) => ({
		version: fake.release.version,
		edition: fake.options.edition ?? 'SELF_HOSTED',
	})),
	declareOperation(undefined, 'GET', createFixedPath('/_health'), { open: true }, () => ({ ok: true })),
	declareOperation(undefined, 'POST', createFixedPath('/oauth/device/code'), { open: true }, beginLogin),
	declareOperation(undefined, 'POST', createFixedPath('/oauth/device/token'), { open: true }, pollForToken),
	declareOperation('get.account', 'GET', createFixedPath('/account'), {}, ({ fake }) => getAccount(fake)),
	declareOperation('get.account.session', 'GET', createFixedPath('/account/sessions'), { query: ['page', 'limit'] }, ({ fake }) => {
		const data = fake.sessions.tokens
			.filter(each => !each.revoked)
			.map(each => ({
				id: each.id,
				prefix: each.token.slice(0, 8),
				client_id: each.clientId,
				device_label: each.label,
				created_at: formatIsoTime(each.createdAt),
				last_used_at: each.lastUsedAt === undefined ? null : formatIsoTime(each.lastUsedAt),
				expires_at: formatIsoTime(each.expiresAt),
			}));
		return { page: 1, limit: 100, total: data.length, has_more: false, data };
	}),
	declareOperation('revoke.account.session_self', 'DELETE', createFixedPath('/account/sessions/self'), {}, ({ fake, request }) => {
		const token = fake.sessions.findToken((request.headers.authorization ?? '').replace('Bearer ', ''));
		if (token) {
			token.revoked = true;
		}
		return { status: 'revoked' };
	}),
	declareOperation('get.workspace', 'GET', createNewestPath('/workspaces'), { query: ['page', 'limit'] }, ({ fake }) => {
		const data = listWorkspaces(fake);
		return { page: 1, limit: 20, total: data.length, has_more: false, data, hints: [] };
	}),
	declareOperation(undefined, 'GET', { '1.15': '/workspaces', '1.16': '/workspaces' }, {}, ({ fake }) => ({
		workspaces: listWorkspaces(fake),
	})),
];

function beginLogin({ fake, body }: Exchange): unknown {
	const [clientId, label] = [getBodyText(body, 'client_id'), getBodyText(body, 'device_label')];
	if (clientId === undefined || label === undefined) {
		return new Reply(400, { error: 'invalid_request' });
	}
	if (!knownClients.includes(clientId)) {
		return new Reply(400, { error: 'unsupported_client' });
	}
	const lately = fake.sessions.logins.filter(each => each.expiresAt > fake.getTime() + 900 - 3600);
	if (lately.length >= 60) {
		throw new Refusal(429, 'too_many_requests', 'Too many requests.', {}, { 'retry-after': '3600' });
	}
	const { deviceCode, userCode } = fake.sessions.beginLogin(clientId, label);
	const interval = fake.options.deviceInterval ?? 5;
	return { device_code: deviceCode, user_code: userCode, verification_uri: `${fake.origin}/device`, expires_in: 900, interval };
}

function pollForToken({ fake, body }: Exchange): unknown {
	const login = fake.sessions.logins.find(
		each => each.deviceCode === getBodyText(body, 'device_code') && each.clientId === getBodyText(body, 'client_id'),
	);
	const createTokenRefusal = (error: string) => new Reply(400, { error });
	if (!login) {
		return createTokenRefusal('expired_token');
	}
	const now = fake.getTime();
	const tooSoon = login.lastAsked !== undefined && now - login.lastAsked < (fake.options.deviceInterval ?? 5);
	login.lastAsked = now;
	if (tooSoon) {
		return createTokenRefusal('slow_down');
	}
	if (login.expiresAt <= now || login.state === 'used') {
		return createTokenRefusal('expired_token');
	}
	if (login.state !== 'approved') {
		return createTokenRefusal(login.state === 'denied' ? 'access_denied' : 'authorization_pending');
	}
	login.state = 'used';
	const token = fake.sessions.issueToken(login);
	return { token: token.token, expires_at: formatIsoTime(token.expiresAt), token_id: token.id, ...getAccount(fake) };
}

function getAccount(fake: DifyDeployment): Fields {
	const { id, email, name } = fake.account;
	return {
		subject_type: 'account',
		subject_email: email,
		subject_issuer: null,
		account: { id, email, name },
		workspaces: listWorkspaces(fake).map(({ id: workspace, name: title, role }) => ({ id: workspace, name: title, role })),
		default_workspace_id: fake.account.currentWorkspace,
	};
}

function listWorkspaces(fake: DifyDeployment): { id: string; name: string; role: string; status: string; current: boolean }[] {
	const { roles, currentWorkspace } = fake.account;
	return fake.workspaces
		.filter(each => roles.has(each.id))
		.map(({ id, name }) => ({ id, name, role: roles.get(id) ?? '', status: 'normal', current: id === currentWorkspace }));
}

/** Formats Unix seconds as Dify formats expiry times: like Python's `isoformat()` of a UTC time without a zone, followed by `+00:00`. */
export function formatIsoTime(seconds: number): string {
	return new Date(seconds * 1000).toISOString().replace('Z', '+00:00');
}
