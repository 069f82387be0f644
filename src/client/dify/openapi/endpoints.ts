import type { DifyGeneration } from '../management.ts';
import type { Catalog } from './catalog.ts';

/** A method and a path with `{names}`; `name` is its name in catalogs. */
export interface ApiEndpoint {
	readonly name?: string;
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	readonly path: string;
}

type OpenapiGeneration = Exclude<DifyGeneration, 'console'>;

const root = '/openapi/v1';
const app = `${root}/apps/{app_id}`;
const imports = `${root}/workspaces/{workspace_id}/apps/imports`;

/** Endpoints from 1.16 on. */
const common = {
	account: { method: 'GET', path: `${root}/account` },
	signOut: { method: 'DELETE', path: `${root}/account/sessions/self` },
	workspaces: { method: 'GET', path: `${root}/workspaces` },
	apps: { method: 'GET', path: `${root}/apps` },
	app: { name: 'describe.console_app', method: 'GET', path: app },
	exportApp: { name: 'export.console_app.dsl', method: 'GET', path: `${app}/dsl` },
	importApp: { name: 'import.console_app.dsl', method: 'POST', path: imports },
	confirmImport: { name: 'confirm.console_app.dsl_import', method: 'POST', path: `${imports}/{import_id}:confirm` },
	dependencies: { name: 'check.console_app.dependency', method: 'GET', path: `${app}/dependencies:check` },
	stopDraft: { name: 'run.stop', method: 'POST', path: `${app}/tasks/{task_id}:stop` },
	followRun: { method: 'GET', path: `${app}/tasks/{task_id}/events` },
	getForm: { method: 'GET', path: `${app}/human-input-forms/{form_token}` },
	submitForm: { method: 'POST', path: `${app}/human-input-forms/{form_token}:submit` },
} as const satisfies Record<string, ApiEndpoint>;

const beforeMethods: Readonly<Record<keyof typeof common, ApiEndpoint>> = {
	...common,
	app: { method: 'GET', path: `${app}/describe` },
	exportApp: { method: 'GET', path: `${app}/export` },
	confirmImport: { method: 'POST', path: `${imports}/{import_id}/confirm` },
	dependencies: { method: 'GET', path: `${app}/check-dependencies` },
	stopDraft: { method: 'POST', path: `${app}/tasks/{task_id}/stop` },
	getForm: { method: 'GET', path: `${app}/form/human_input/{form_token}` },
	submitForm: { method: 'POST', path: `${app}/form/human_input/{form_token}` },
};

const withCatalog = {
	...common,
	checkText: { name: 'check.console_app.dsl', method: 'POST', path: `${imports}:check` },
	publish: { name: 'publish.console_app', method: 'POST', path: `${app}:publish` },
	versions: { name: 'get.console_app.version', method: 'GET', path: `${app}/versions` },
	restore: { name: 'restore.console_app.version', method: 'POST', path: `${app}/versions/{version_id}:restore` },
	streamDraft: { method: 'POST', path: `${app}/draft/workflow:run` },
	streamDraftChat: { method: 'POST', path: `${app}/draft/advanced-chat:run` },
	runNode: { method: 'POST', path: `${app}/draft/workflow/nodes/{node_id}:run` },
	runChatNode: { method: 'POST', path: `${app}/draft/advanced-chat/nodes/{node_id}:run` },
	runs: { name: 'get.run', method: 'GET', path: `${app}/runs` },
	run: { name: 'describe.run', method: 'GET', path: `${app}/runs/{run_id}` },
	runNodes: { name: 'get.run.node', method: 'GET', path: `${app}/runs/{run_id}/nodes` },
	setServiceApi: { method: 'PATCH', path: `${app}/service-api` },
} as const satisfies Record<string, ApiEndpoint>;

/** Our names of endpoints; catalogs have their own. */
export type EndpointName = keyof typeof withCatalog;

const tables: Readonly<Record<OpenapiGeneration, Readonly<Partial<Record<EndpointName, ApiEndpoint>>>>> = {
	'openapi-1.15': beforeMethods,
	'openapi-1.16': common,
	'openapi-1.18': withCatalog,
};

/** Finds the endpoint of an operation in a generation and its catalog, or `undefined` if it doesn't exist there. */
export function findNamedEndpoint(
	generation: OpenapiGeneration,
	name: EndpointName,
	catalog: Catalog | undefined,
): ApiEndpoint | undefined {
	const expected = tables[generation][name];
	return expected === undefined || catalog === undefined ? expected : catalog.findEndpoint(expected);
}
