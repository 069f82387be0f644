import { type Exchange, getBodyText, Refusal, Reply } from '../exchange.ts';
import type { Release } from '../releases.ts';
import type { ConsoleRoute } from './consoleSurface.ts';
import { clearSessionCookies, getCookie, setSessionCookies } from './cookies.ts';

/** Creates the routes for sign-in and sign-out, features, workspaces and the approval of device logins. */
export function createLoginRoutes(release: Release): ConsoleRoute[] {
	return [
		{ method: 'GET', path: '/system-features', open: true, handle: getFeatures },
		{
			method: 'GET',
			path: '/version',
			open: true,
			handle: () => ({ version: '9.9.9', release_date: '', release_notes: '', can_auto_update: false, features: {} }),
		},
		{ method: 'GET', path: '/setup', open: true, handle: () => ({ step: 'finished', setup_at: null }) },
		{ method: 'POST', path: '/login', open: true, handle: signIn },
		{ method: 'POST', path: '/refresh-token', open: true, handle: refreshTokens },
		{ method: release.login === 'bearer' ? 'GET' : 'POST', path: '/logout', handle: signOut },
		{ method: 'GET', path: '/account/profile', handle: ({ account }) => ({ id: account?.id, name: account?.name, email: account?.email }) },
		{ method: 'GET', path: '/workspaces', handle: listWorkspaces },
		{ method: 'POST', path: '/workspaces/switch', handle: switchWorkspace },
		...(release.openapi
			? ([
					{ method: 'POST', path: '/oauth/device/approve', handle: exchange => settleDeviceLogin(exchange, 'approved') },
					{ method: 'POST', path: '/oauth/device/deny', handle: exchange => settleDeviceLogin(exchange, 'denied') },
				] satisfies ConsoleRoute[])
			: []),
	];
}

function getFeatures({ fake }: Exchange): unknown {
	return {
		sso_enforced_for_signin: false,
		sso_enforced_for_signin_protocol: '',
		enable_marketplace: true,
		enable_email_code_login: fake.options.edition === 'CLOUD',
		enable_email_password_login: fake.options.passwordLogin !== false,
		enable_social_oauth_login: fake.options.edition === 'CLOUD',
		is_allow_register: false,
		is_allow_create_workspace: false,
	};
}

function signIn(exchange: Exchange): unknown {
	const { fake, body } = exchange;
	const { account, release } = fake;
	if (fake.options.passwordLogin === false) {
		throw new Refusal(
			403,
			'forbidden',
			"You don't have the permission to access the requested resource. It is either read-protected or not readable by the server.",
		);
	}
	if (account.failedLogins >= 5) {
		throw new Refusal(429, 'email_code_login_limit', 'Too many incorrect password attempts. Please try again later.');
	}
	const sent = getBodyText(body, 'password') ?? '';
	const password = release.login === 'base64' ? decodePassword(sent) : sent;
	if (getBodyText(body, 'email')?.toLowerCase() !== account.email || password !== account.password) {
		account.failedLogins += 1;
		throw new Refusal(401, 'authentication_failed', 'Invalid email or password.');
	}
	if (account.banned) {
		throw new Refusal(400, 'account_banned', 'Account is banned.');
	}
	if (account.roles.size === 0) {
		return { result: 'fail', data: 'workspace not found, please contact system admin to invite you to join in a workspace' };
	}
	account.failedLogins = 0;
	return issueTokens(exchange);
}

/** Returns the password; text that isn't base64 counts as a wrong password, as in Dify. */
function decodePassword(sent: string): string | undefined {
	const bytes = Buffer.from(sent, 'base64');
	return bytes.toString('base64').replace(/=+$/, '') === sent.replace(/=+$/, '') ? bytes.toString('utf8') : undefined;
}

function issueTokens(exchange: Exchange): unknown {
	const tokens = exchange.fake.sessions.issueConsoleTokens();
	if (exchange.fake.release.login === 'bearer') {
		return { result: 'success', data: { access_token: tokens.access, refresh_token: tokens.refresh } };
	}
	setSessionCookies(exchange, tokens);
	return { result: 'success' };
}

function refreshTokens(exchange: Exchange): unknown {
	const { fake, body } = exchange;
	const token = fake.release.login === 'bearer' ? getBodyText(body, 'refresh_token') : getCookie(exchange, 'refresh_token');
	if (token === undefined) {
		return new Reply(401, { result: 'fail', message: 'No refresh token provided' });
	}
	return fake.sessions.isRefreshToken(token) ? issueTokens(exchange) : new Reply(401, { result: 'fail', message: 'Invalid refresh token' });
}

function signOut(exchange: Exchange): unknown {
	exchange.fake.sessions.endConsoleSession();
	if (exchange.fake.release.login !== 'bearer') {
		clearSessionCookies(exchange);
	}
	return { result: 'success' };
}

function listWorkspaces({ fake, account }: Exchange): unknown {
	const mine = fake.workspaces.filter(each => account?.roles.has(each.id));
	return {
		workspaces: mine.map(({ id, name }) => ({
			id,
			name,
			plan: 'sandbox',
			status: 'normal',
			created_at: 1_700_000_000,
			current: id === account?.currentWorkspace,
		})),
	};
}

function switchWorkspace({ fake, account, body }: Exchange): unknown {
	const id = getBodyText(body, 'tenant_id');
	if (!account || id === undefined || !account.roles.has(id)) {
		throw new Refusal(400, 'account_not_link_tenant', 'Account not link tenant.');
	}
	fake.account.currentWorkspace = id;
	return { result: 'success', new_tenant: { id, name: fake.workspaces.find(each => each.id === id)?.name } };
}

function settleDeviceLogin({ fake, body }: Exchange, state: 'approved' | 'denied'): unknown {
	if (fake.options.bearerEnabled === false) {
		throw new Refusal(503, 'bearer_auth_disabled', 'Bearer tokens are switched off.');
	}
	const login = fake.sessions.logins.find(each => each.userCode === getBodyText(body, 'user_code'));
	if (!login || login.expiresAt <= fake.getTime()) {
		throw new Refusal(404, 'expired_or_unknown', 'expired_or_unknown');
	}
	if (login.state !== 'pending') {
		throw new Refusal(409, 'already_resolved', 'already_resolved');
	}
	login.state = state;
	return { status: state };
}
