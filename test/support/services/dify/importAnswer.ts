import { type ImportDone, importAppFile } from './appImport.ts';
import type { DifyDeployment } from './difyDeployment.ts';
import { type Exchange, getBodyText, Reply } from './exchange.ts';
import type { FakeApp, Fields } from './state.ts';

/** Creates the response of an import, the same for all surfaces. */
export function createImportAnswer(fake: DifyDeployment, done: ImportDone, more: Fields = {}): Reply {
	const status = done.status === 'failed' ? 400 : done.status === 'pending' ? 202 : 200;
	return new Reply(status, {
		id: done.id,
		status: done.status,
		app_id: done.appId,
		app_mode: done.mode,
		current_dsl_version: fake.release.dsl,
		imported_dsl_version: done.imported,
		error: done.error,
		...(fake.release.packages ? { permission_keys: [], warnings: fake.importWarnings } : {}),
		...more,
	});
}

/** Imports the file in a request's body. */
export function importRequestFile(
	{ fake, body }: Exchange,
	workspaceId: string,
	more: { commitsHalf?: boolean; keepsEmptySecrets?: boolean },
): ImportDone {
	const createFailure = (error: string): ImportDone => ({
		id: crypto.randomUUID(),
		status: 'failed',
		appId: null,
		mode: null,
		imported: '',
		error,
	});
	if (body['mode'] === 'yaml-url') {
		return createFailure(
			body['yaml_url'] ? 'Error fetching YAML from URL: not in tests' : 'yaml_url is required when import_mode is yaml-url',
		);
	}
	return importAppFile(fake, {
		workspaceId,
		text: getBodyText(body, 'yaml_content') ?? '',
		appId: getBodyText(body, 'app_id'),
		name: getBodyText(body, 'name'),
		description: getBodyText(body, 'description'),
		icon: getBodyText(body, 'icon'),
		iconType: getBodyText(body, 'icon_type'),
		iconBackground: getBodyText(body, 'icon_background'),
		...more,
	});
}

/** Completes a pending import, without recording its dependencies. */
export function confirmImport({ fake, params }: Exchange): ImportDone {
	const id = params['import_id'] ?? '';
	const asked = fake.pending.findImport(id, fake.getTime());
	if (!asked) {
		return { id, status: 'failed', appId: null, mode: null, imported: '', error: 'Import information expired or does not exist' };
	}
	const done = importAppFile(fake, asked, true);
	if (done.status !== 'failed') {
		fake.pending.delete(id);
	}
	return { ...done, id };
}

/** Returns the plugins that an app's last import needs and the workspace lacks. */
export function getMissingPlugins(fake: DifyDeployment, app: FakeApp | undefined): Fields {
	const leaked = app?.leaked && app.leaked.until > fake.getTime() ? app.leaked.dependencies : [];
	return { leaked_dependencies: leaked.map(({ type, value }) => ({ type, value, current_identifier: null })) };
}
