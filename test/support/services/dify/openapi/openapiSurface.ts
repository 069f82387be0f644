import type { DifyDeployment } from '../difyDeployment.ts';
import { type Exchange, Refusal, Reply, type Route, type Surface } from '../exchange.ts';
import { compareVersions } from '../releases.ts';
import { openapiAccount } from './openapiAccount.ts';
import { openapiApps } from './openapiApps.ts';
import { openapiImports } from './openapiImports.ts';
import { openapiRuns } from './openapiRuns.ts';
import { openapiVersions } from './openapiVersions.ts';
import { checkFields, type Operation } from './operation.ts';

const roles = ['normal', 'editor', 'admin', 'owner'];
const needed = { member: 0, editor: 1, admin: 2 };

/** Creates the surface `/openapi/v1`, with its access checks and the operations of the deployment's generation. */
export function createOpenapiSurface(fake: DifyDeployment): Surface {
	const { openapi } = fake.release;
	const all = [...openapiAccount, ...openapiApps, ...openapiImports, ...openapiVersions, ...openapiRuns];
	const operations = openapi === undefined ? [] : all.flatMap(each => each(openapi));
	const catalog: Route = {
		method: 'GET',
		path: '/_catalog',
		open: true,
		handle: () => new Reply(200, fake.catalog.formatCatalog(getRoutes()), 'application/json; charset=utf-8'),
	};
	const getRoutes = (): readonly Route[] =>
		openapi === undefined || fake.options.openapiEnabled === false
			? []
			: [...fake.catalog.getOperations(operations), ...(openapi === '1.18' ? [catalog] : [])];
	return {
		prefix: '/openapi/v1',
		getRoutes,
		authorizeRequest(exchange, route) {
			if (!route.open) {
				checkToken(exchange);
				checkCatalog(exchange, getRoutes());
				const operation = route as Operation;
				checkWorkspace(exchange, operation);
				checkFields(exchange, operation);
			}
		},
		formatRefusal: ({ code, message, status, more }) => ({ code, message, status, ...more }),
	};
}

function checkToken(exchange: Exchange): void {
	const { fake, request } = exchange;
	const agent = /^difyctl\/(\S+)/.exec(request.headers['user-agent'] ?? '')?.[1];
	if (agent && compareVersions(agent, fake.release.version) < 0) {
		throw new Refusal(426, 'upgrade_required', 'This client is too old for this server.');
	}
	const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
	if (!bearer) {
		throw new Refusal(401, 'unauthorized', 'bearer required');
	}
	const token = fake.sessions.findToken(bearer);
	if (!token) {
		throw fake.options.deadTokenStatus === 500
			? new Refusal(500, 'internal_server_error', 'Internal Server Error')
			: new Refusal(401, 'unauthorized', 'token is invalid or expired');
	}
	if (token.scope === 'run' && !/:run$|\/run$|\/stop$|:stop$|\/account/.test(exchange.path)) {
		throw new Refusal(403, 'forbidden', 'unsupported_token_type');
	}
	const now = fake.getTime();
	token.uses = token.uses.filter(each => each > now - 60);
	if (token.uses.length >= (fake.options.rateLimit ?? 60)) {
		const wait = Math.max(1, Math.ceil((token.uses[0] ?? now) + 60 - now));
		throw new Refusal(429, 'too_many_requests', 'Too many requests.', {}, { 'retry-after': String(wait) });
	}
	token.uses.push(now);
	token.lastUsedAt = now;
	exchange.account = fake.account;
}

function checkCatalog({ fake, request }: Exchange, routes: readonly Route[]): void {
	if (fake.release.openapi === '1.18' && request.headers['x-dify-catalog'] !== fake.catalog.computeHash(routes)) {
		throw new Refusal(412, 'catalog_stale', "The request was built from a catalog that is not this server's current catalog.", {
			hint: 'GET /openapi/v1/_catalog, rebuild the request from it, and send its sha256 in X-Dify-Catalog.',
		});
	}
}

/** Checks the named app or workspace: it exists, the account is a member, the service API is enabled, the role suffices. */
function checkWorkspace(exchange: Exchange, { needs }: Operation): void {
	const { fake, params, query } = exchange;
	if (params['app_id'] !== undefined) {
		const app = fake.apps.find(each => each.id === params['app_id'] && fake.account.roles.has(each.workspaceId));
		if (!app) {
			throw new Refusal(404, 'not_found', 'app not found');
		}
		if (!app.serviceApi && !exchange.path.endsWith('/service-api')) {
			throw new Refusal(403, 'forbidden', 'service_api_disabled');
		}
		exchange.app = app;
	}
	const workspaceId = exchange.app?.workspaceId ?? params['workspace_id'] ?? query.get('workspace_id') ?? undefined;
	if (workspaceId !== undefined) {
		const role = fake.account.roles.get(workspaceId);
		if (role === undefined) {
			throw new Refusal(404, 'not_found', 'workspace not found');
		}
		if (roles.indexOf(role) < needed[needs]) {
			throw new Refusal(403, 'forbidden', 'insufficient workspace role');
		}
	}
}
