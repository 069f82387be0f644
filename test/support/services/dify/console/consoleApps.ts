import { randomUUID } from 'node:crypto';
import { exportAppFile } from '../appExport.ts';
import { type Exchange, getQueryInteger, Refusal, Reply } from '../exchange.ts';
import { findWorkflow } from '../openapi/openapiApps.ts';
import type { FakeApp, Fields } from '../state.ts';
import type { ConsoleRoute } from './consoleSurface.ts';

/** Routes of the apps in the current workspace, with their files, switches and keys. */
export const consoleApps: readonly ConsoleRoute[] = [
	{ method: 'GET', path: '/apps', handle: listApps },
	{ method: 'GET', path: '/apps/{app}', handle: getApp },
	{ method: 'GET', path: '/apps/{app}/export', needs: 'editor', handle: exportAppText },
	{ method: 'POST', path: '/apps/{app}/api-enable', needs: 'admin', handle: exchange => setAppSwitch(exchange, 'enable_api') },
	{ method: 'POST', path: '/apps/{app}/site-enable', needs: 'editor', handle: exchange => setAppSwitch(exchange, 'enable_site') },
	{ method: 'GET', path: '/apps/{app}/api-keys', handle: ({ app }) => ({ data: (app?.keys ?? []).map(toKeyRow) }) },
	{ method: 'POST', path: '/apps/{app}/api-keys', needs: 'editor', handle: createKey },
	{ method: 'DELETE', path: '/apps/{app}/api-keys/{key}', needs: 'admin', handle: deleteKey },
];

const maxKeys = 10;

function listApps(exchange: Exchange): unknown {
	const { fake, account, query } = exchange;
	const page = getQueryInteger(exchange, 'page', { usual: 1, most: 99_999 }, [400, 'invalid_param']);
	const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 100 }, [400, 'invalid_param']);
	const [mode, name] = [query.get('mode') ?? 'all', query.get('name')?.slice(0, 30).toLowerCase() ?? ''];
	const found = fake.apps
		.filter(
			each =>
				each.workspaceId === account?.currentWorkspace && (mode === 'all' || each.mode === mode) && each.name.toLowerCase().includes(name),
		)
		.sort((a, b) => b.createdAt - a.createdAt);
	const data = found.slice((page - 1) * limit, page * limit).map(toAppRow);
	return { page, limit, total: found.length, has_more: page * limit < found.length, data };
}

function toAppRow(app: FakeApp): Fields {
	return {
		id: app.id,
		name: app.name,
		description: app.description,
		mode: app.mode,
		icon_type: app.iconType,
		icon: app.icon,
		icon_background: app.iconBackground,
		use_icon_as_answer_icon: app.useIconAsAnswerIcon,
		created_at: Math.floor(app.createdAt),
		updated_at: Math.floor(app.updatedAt),
		tags: [],
	};
}

function getApp({ fake, app }: Exchange): unknown {
	return app && { ...toAppRow(app), enable_site: app.site, enable_api: app.serviceApi, api_base_url: `${fake.origin}/v1` };
}

function exportAppText({ fake, app, query }: Exchange): unknown {
	const found = app && findWorkflow(app, query.get('workflow_id'));
	if (!app || (!found && app.modelConfig === undefined)) {
		throw new Refusal(404, 'workflow_not_found', 'Missing draft workflow configuration, please check.');
	}
	const text = exportAppFile(fake, app, found, query.get('include_secret') === 'true');
	if (!fake.release.packages || (query.get('format') === 'yaml' && !fake.sendsPackages)) {
		return { data: text };
	}
	return new Reply(200, fake.packageOf(text), 'application/zip');
}

function setAppSwitch(exchange: Exchange, name: 'enable_api' | 'enable_site'): unknown {
	const { app, body } = exchange;
	const on = body[name];
	if (!app || typeof on !== 'boolean') {
		throw new Refusal(400, 'invalid_param', `${name}: Field required`);
	}
	app[name === 'enable_api' ? 'serviceApi' : 'site'] = on;
	return getApp(exchange);
}

const toKeyRow = ({ id, token, createdAt, lastUsedAt }: FakeApp['keys'][number]) => ({
	id,
	type: 'app',
	token,
	created_at: Math.floor(createdAt),
	last_used_at: lastUsedAt === null ? null : Math.floor(lastUsedAt),
});

function createKey({ fake, app }: Exchange): unknown {
	if (!app || app.keys.length >= maxKeys) {
		throw new Refusal(400, 'max_keys_exceeded', `Cannot create more than ${maxKeys} API keys for this resource type.`);
	}
	const key = { id: randomUUID(), token: fake.createSecret('app-'), createdAt: fake.getTime(), lastUsedAt: null };
	app.keys.push(key);
	return new Reply(201, toKeyRow(key));
}

function deleteKey({ app, params }: Exchange): unknown {
	const at = app?.keys.findIndex(each => each.id === params['key']) ?? -1;
	if (!app || at < 0) {
		throw new Refusal(404, 'not_found', 'API key not found');
	}
	app.keys.splice(at, 1);
	return new Reply(204, '');
}
