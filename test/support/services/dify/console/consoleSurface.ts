import { createHmac } from 'node:crypto';
import type { DifyDeployment } from '../difyDeployment.ts';
import { type Exchange, Refusal, type Route, type Surface } from '../exchange.ts';
import { consoleApps } from './consoleApps.ts';
import { createDraftRoutes } from './consoleDraft.ts';
import { consoleImports } from './consoleImports.ts';
import { createLoginRoutes } from './consoleLogin.ts';
import { createRunRoutes } from './consoleRuns.ts';
import { consoleVariables } from './consoleVariables.ts';
import { getCookie } from './cookies.ts';

const editors = ['owner', 'admin', 'editor'];
/** Paths to which pages send requests while they close. Dify requires no CSRF token for them. */
const withoutCsrf = /^\/console\/api\/apps\/[a-f0-9-]+\/workflows\/draft/;

/** A console route and the role that it requires. */
export interface ConsoleRoute extends Route {
	readonly needs?: 'editor' | 'admin';
	/** Modes of the apps that have this route. For other apps the route isn't found. */
	readonly modes?: readonly string[];
}

/** Creates the surface `/console/api` for the release of the deployment. */
export function createConsoleSurface(fake: DifyDeployment): Surface {
	const all: readonly ConsoleRoute[] = [
		...createLoginRoutes(fake.release),
		...consoleApps,
		...consoleImports,
		...createDraftRoutes(fake.release),
		...createRunRoutes(fake.release),
		...consoleVariables,
	];
	return {
		prefix: '/console/api',
		getRoutes: () => all,
		authorizeRequest(exchange, route) {
			if (!route.open) {
				checkSession(exchange);
				checkRole(exchange, route);
			}
		},
		formatRefusal: ({ code, message, status, more }) => ({ code, message, status, ...more }),
	};
}

function checkSession(exchange: Exchange): void {
	const { fake, request, path } = exchange;
	const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
	const access = (fake.release.login === 'bearer' ? undefined : getCookie(exchange, 'access_token')) ?? bearer;
	if (fake.options.adminKey && access === fake.options.adminKey) {
		signInAsOwner(exchange);
		return;
	}
	const state = access === undefined ? undefined : fake.sessions.getAccessTokenState(access);
	if (state !== 'good') {
		const words =
			state === undefined ? 'Invalid Authorization token.' : state === 'expired' ? 'Token has expired.' : 'Invalid token signature.';
		throw new Refusal(401, 'unauthorized', words);
	}
	if (fake.release.login !== 'bearer' && !withoutCsrf.test(path)) {
		const csrf = request.headers['x-csrf-token'];
		if (!csrf || csrf !== getCookie(exchange, 'csrf_token') || !fake.sessions.isCsrfToken(String(csrf))) {
			throw new Refusal(401, 'unauthorized', 'CSRF token is missing or invalid.');
		}
	}
	exchange.account = fake.account;
}

/** Signs in with `ADMIN_API_KEY` as the owner of the workspace that the request names. */
function signInAsOwner(exchange: Exchange): void {
	const { fake, request } = exchange;
	const workspace = fake.workspaces.find(each => each.id === request.headers['x-workspace-id']);
	if (!workspace) {
		throw new Refusal(401, 'unauthorized', 'Invalid Authorization token.');
	}
	if (!fake.release.adminWithoutCsrf && fake.release.login !== 'bearer') {
		throw new Refusal(401, 'unauthorized', 'CSRF token is missing or invalid.');
	}
	exchange.account = { ...fake.account, currentWorkspace: workspace.id, roles: new Map([[workspace.id, 'owner']]) };
}

function checkRole(exchange: Exchange, route: ConsoleRoute): void {
	const { fake, account, params } = exchange;
	const role = account?.roles.get(account.currentWorkspace) ?? 'normal';
	if (params['app'] !== undefined) {
		const app = fake.apps.find(each => each.id === params['app'] && each.workspaceId === account?.currentWorkspace);
		if (!app || (route.modes && !route.modes.includes(app.mode))) {
			throw new Refusal(404, 'app_not_found', 'App not found.');
		}
		exchange.app = app;
	}
	if ((route.needs === 'editor' && !editors.includes(role)) || (route.needs === 'admin' && role !== 'owner' && role !== 'admin')) {
		throw new Refusal(
			403,
			'forbidden',
			"You don't have the permission to access the requested resource. It is either read-protected or not readable by the server.",
		);
	}
}

/** Returns a stable ID of an end user or a task, derived from a text. */
export function createStableId(text: string): string {
	const hex = createHmac('sha256', 'id').update(text).digest('hex');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
