import { exportAppFile } from '../appExport.ts';
import { type Exchange, getQueryInteger, Refusal, Reply } from '../exchange.ts';
import { computeDraftHash, createWorkflow, type FakeApp, type FakeWorkflow } from '../state.ts';
import { formatIsoTime } from './openapiAccount.ts';
import {
	createFixedPath,
	createInvalidError,
	createNewestPath,
	createRenamedPath,
	declareOperation,
	getRequiredText,
} from './operation.ts';

const listed = ['completion', 'chat', 'advanced-chat', 'workflow', 'agent-chat'];

/** Operations for the list of apps, their details and files, their creation and the switch of their service API. */
export const openapiApps = [
	declareOperation(
		'get.console_app',
		'GET',
		createFixedPath('/apps'),
		{ query: ['workspace_id', 'page', 'limit', 'mode', 'name'] },
		listApps,
	),
	declareOperation(
		'describe.console_app',
		'GET',
		createRenamedPath('/apps/{app_id}/describe', '/apps/{app_id}'),
		{ query: ['fields'] },
		describeApp,
	),
	declareOperation(
		'export.console_app.dsl',
		'GET',
		createRenamedPath('/apps/{app_id}/export', '/apps/{app_id}/dsl'),
		{ query: ['include_secret', 'workflow_id'], needs: 'editor' },
		createExportResponse,
	),
	...(['workflow', 'advanced-chat'] as const).map(mode =>
		declareOperation(
			`create.console_app.${mode.replace('-', '_')}`,
			'POST',
			createNewestPath(`/workspaces/{workspace_id}/apps/${mode}`),
			{ body: ['name', 'description', 'icon_type', 'icon', 'icon_background'], needs: 'editor' },
			exchange => createApp(exchange, mode),
		),
	),
	declareOperation('get.console_app.service_api', 'GET', createNewestPath('/apps/{app_id}/service-api'), {}, getServiceApi),
	declareOperation(
		'set.console_app.service_api',
		'PATCH',
		createNewestPath('/apps/{app_id}/service-api'),
		{ body: ['enabled'], needs: 'admin' },
		exchange => {
			const enabled = exchange.body['enabled'];
			if (typeof enabled !== 'boolean' || !exchange.app) {
				throw createInvalidError([{ type: 'bool_type', loc: ['enabled'], msg: 'Input should be a valid boolean' }]);
			}
			exchange.app.serviceApi = enabled;
			return getServiceApi(exchange);
		},
	),
];

function listApps(exchange: Exchange): unknown {
	const { fake, query } = exchange;
	const most = fake.release.openapi === '1.18' ? 100 : 200;
	const createInvalidField = (name: string) => createInvalidError([{ type: 'value_error', loc: [name], msg: 'Input is not valid' }]);
	const workspaceId = query.get('workspace_id');
	if (!workspaceId) {
		throw createInvalidError([{ type: 'missing', loc: ['workspace_id'], msg: 'Field required' }]);
	}
	const mode = query.get('mode');
	if (mode !== null && !listed.includes(mode)) {
		throw createInvalidField('mode');
	}
	const page = getQueryInteger(exchange, 'page', { usual: 1, most: 1_000_000 }, [422, 'invalid_param']);
	const limit = getQueryInteger(exchange, 'limit', { usual: 20, most }, [422, 'invalid_param']);
	const name = query.get('name')?.toLowerCase() ?? '';
	const found = fake.apps
		.filter(each => each.workspaceId === workspaceId && each.serviceApi && listed.includes(each.mode))
		.filter(each => (mode === null || each.mode === mode) && each.name.toLowerCase().includes(name))
		.sort((a, b) => b.createdAt - a.createdAt);
	const data = found.slice((page - 1) * limit, page * limit).map(each => ({
		...toAppInfo(each),
		workspace_id: workspaceId,
		workspace_name: fake.workspaces.find(({ id }) => id === workspaceId)?.name ?? null,
	}));
	return { page, limit, total: found.length, has_more: page * limit < found.length, data };
}

const toAppInfo = ({ id, name, description, mode, updatedAt }: FakeApp) => ({
	id,
	name,
	description,
	mode,
	updated_at: formatIsoTime(updatedAt).replace('+00:00', ''),
});

function describeApp({ app, query }: Exchange): unknown {
	const wanted = query.get('fields')?.split(',') ?? ['info', 'parameters', 'input_schema'];
	const unknown = wanted.filter(each => !['info', 'parameters', 'input_schema'].includes(each));
	if (unknown.length > 0) {
		throw createInvalidError([{ type: 'value_error', loc: ['fields'], msg: `unknown field(s): ${unknown.join(', ')}` }]);
	}
	const said = app && {
		...toAppInfo(app),
		service_api_enabled: app.serviceApi,
		is_agent: app.mode === 'agent-chat' || app.mode === 'advanced-chat',
	};
	return {
		info: wanted.includes('info') ? said : null,
		parameters: wanted.includes('parameters')
			? { opening_statement: null, suggested_questions: [], user_input_form: [], file_upload: null, system_parameters: {} }
			: null,
		input_schema: wanted.includes('input_schema') ? { type: 'object', properties: {} } : null,
	};
}

function createExportResponse({ fake, app, query }: Exchange): unknown {
	const version = query.get('workflow_id');
	const found = app && findWorkflow(app, version);
	if (!app || (!found && app.modelConfig === undefined)) {
		return new Reply(404, 'Missing draft workflow configuration, please check.');
	}
	const data = exportAppFile(fake, app, found, query.get('include_secret') === 'true');
	return fake.release.openapi === '1.18' ? { data, draft_hash: app.draft ? computeDraftHash(app.draft) : null } : { data };
}

/** Returns the draft, or the version with an ID. */
export function findWorkflow(app: FakeApp, version: string | null): FakeWorkflow | undefined {
	return version ? app.versions.find(each => each.id === version) : app.draft;
}

function createApp(exchange: Exchange, mode: string): unknown {
	const { fake, body, params } = exchange;
	const name = getRequiredText(body, 'name');
	checkAppLimit(exchange);
	const app = fake.addApp(
		`app: {name: ${JSON.stringify(name)}, mode: ${mode}}\nversion: ${fake.release.dsl}\nworkflow: {graph: {nodes: [], edges: []}}\n`,
		params['workspace_id'],
	);
	app.draft = createWorkflow(fake.getTime());
	return new Reply(201, { app_id: app.id, mode, name });
}

/** Throws if the plan allows no more apps. */
export function checkAppLimit({ fake }: Exchange): void {
	if (fake.apps.length >= (fake.options.appLimit ?? Infinity)) {
		throw new Refusal(403, 'forbidden', 'The number of apps has reached the limit of your subscription.');
	}
}

function getServiceApi({ fake, app }: Exchange): unknown {
	return { enabled: app?.serviceApi ?? false, base_url: `${fake.origin}/v1` };
}
