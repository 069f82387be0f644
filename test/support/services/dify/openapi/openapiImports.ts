import { type Exchange, getBodyText, Refusal } from '../exchange.ts';
import { findGraphIssues } from '../graphIssues.ts';
import { confirmImport, createImportAnswer, getMissingPlugins, importRequestFile } from '../importAnswer.ts';
import { computeDraftHash } from '../state.ts';
import { checkAppLimit } from './openapiApps.ts';
import { createInvalidError, createNewestPath, createRenamedPath, declareOperation, getRequiredText, type Paths } from './operation.ts';

const imports = '/workspaces/{workspace_id}/apps/imports';
const body = ['mode', 'yaml_content', 'yaml_url', 'name', 'description', 'icon_type', 'icon', 'icon_background', 'app_id'];
const confirms: Paths = createRenamedPath(`${imports}/{import_id}/confirm`, `${imports}/{import_id}:confirm`);

/** Operations for imports, their confirmation, dependencies and checks of files. */
export const openapiImports = [
	declareOperation(undefined, 'POST', { '1.15': imports, '1.16': imports }, { body, needs: 'editor' }, exchange => {
		checkMode(exchange);
		return createImportAnswer(exchange.fake, importRequestFile(exchange, getWorkspaceId(exchange), {}));
	}),
	declareOperation(
		'import.console_app.dsl',
		'POST',
		createNewestPath(imports),
		{ body: [...body, 'draft_hash'], needs: 'editor' },
		importFile,
	),
	declareOperation('confirm.console_app.dsl_import', 'POST', confirms, { needs: 'editor' }, exchange =>
		createImportAnswer(exchange.fake, confirmImport(exchange)),
	),
	declareOperation(
		'check.console_app.dependency',
		'GET',
		createRenamedPath('/apps/{app_id}/check-dependencies', '/apps/{app_id}/dependencies:check'),
		{ needs: 'editor' },
		({ fake, app }) => getMissingPlugins(fake, app),
	),
	declareOperation(
		'check.console_app.dsl',
		'POST',
		createNewestPath(`${imports}:check`),
		{ body: ['yaml_content', 'app_id'], needs: 'editor' },
		exchange => {
			const issues = findGraphIssues(getRequiredText(exchange.body, 'yaml_content'));
			if (typeof issues === 'string') {
				throw new Refusal(400, 'bad_request', issues);
			}
			return { valid: issues.length === 0, issues };
		},
	),
];

function importFile(exchange: Exchange): unknown {
	const { fake } = exchange;
	checkMode(exchange);
	const issues = findGraphIssues(getBodyText(exchange.body, 'yaml_content') ?? '');
	if (typeof issues !== 'string' && issues.length > 0) {
		throw new Refusal(422, 'dsl_invalid', 'The DSL has problems the import refuses; each is in details with its location', {
			details: issues.map(({ code, loc, message }) => ({ type: code, loc, msg: message })),
			hints: [{ summary: 'Check the DSL again after each change', op: 'check.console_app.dsl', input: {} }],
		});
	}
	const hash = getBodyText(exchange.body, 'draft_hash');
	const app = fake.apps.find(each => each.id === getBodyText(exchange.body, 'app_id'));
	if (hash !== undefined && (!app?.draft || computeDraftHash(app.draft) !== hash)) {
		throw new Refusal(409, 'draft_changed', 'The draft changed after it was exported. Export it again and reapply your edits.');
	}
	const done = importRequestFile(exchange, getWorkspaceId(exchange), { keepsEmptySecrets: true });
	const hints =
		done.status === 'pending'
			? [{ summary: 'Confirm the pending import', op: 'confirm.console_app.dsl_import', input: { import_id: done.id } }]
			: [];
	return createImportAnswer(fake, done, { hints });
}

function checkMode(exchange: Exchange): void {
	const mode = getRequiredText(exchange.body, 'mode');
	if (mode !== 'yaml-content' && mode !== 'yaml-url') {
		throw createInvalidError([{ type: 'literal_error', loc: ['mode'], msg: "Input should be 'yaml-content' or 'yaml-url'" }]);
	}
	if (exchange.body['draft_hash'] !== undefined && exchange.body['app_id'] === undefined) {
		throw createInvalidError([{ type: 'value_error', loc: ['draft_hash'], msg: 'draft_hash requires app_id' }]);
	}
	if (exchange.body['app_id'] === undefined) {
		checkAppLimit(exchange);
	}
}

function getWorkspaceId({ params }: Exchange): string {
	return params['workspace_id'] ?? '';
}
