import type { AppKey, AppPage, DifyApp, DifyWorkspace, LeakedDependency } from '../management.ts';
import { type ReplyFields, readList, readString, toOptionalNumber, toOptionalRecord, toOptionalText, toOptionalTime } from './fields.ts';

export function readApp(fields: ReplyFields): DifyApp {
	const serviceApi = fields['service_api_enabled'] ?? fields['enable_api'];
	return {
		id: readString(fields, 'id'),
		name: toOptionalText(fields['name']) ?? '',
		description: toOptionalText(fields['description']) ?? '',
		mode: readString(fields, 'mode'),
		updatedAt: toOptionalTime(fields['updated_at']),
		...(typeof serviceApi === 'boolean' && { serviceApi }),
	};
}

export function readAppPage(page: ReplyFields): AppPage {
	const apps = readList(page['data']).map(readApp);
	return {
		apps,
		page: toOptionalNumber(page['page']) ?? 1,
		total: toOptionalNumber(page['total']) ?? apps.length,
		hasMore: page['has_more'] === true,
	};
}

/** Reads a list of workspaces, whose name depends on the release. */
export function readWorkspaces(value: ReplyFields): readonly DifyWorkspace[] {
	return readList(value['workspaces'] ?? value['data']).map(fields => ({
		id: readString(fields, 'id'),
		name: toOptionalText(fields['name']) ?? '',
		role: toOptionalText(fields['role']),
		current: fields['current'] === true,
	}));
}

export function readDependencies(value: ReplyFields): readonly LeakedDependency[] {
	return readList(value['leaked_dependencies'] ?? []).map(dependency => {
		const { value: named, type } = dependency;
		const plugin = toOptionalRecord(named) ?? {};
		const names = [
			dependency['current_identifier'],
			plugin['marketplace_plugin_unique_identifier'],
			plugin['github_plugin_unique_identifier'],
			plugin['plugin_unique_identifier'],
		];
		return { type: toOptionalText(type) ?? '', name: removeDigest(names.map(toOptionalText).find(Boolean) ?? JSON.stringify(named ?? '')) };
	});
}

/** Removes the digest after the version, as in `langgenius/openai:0.0.13@3f…`. */
function removeDigest(identifier: string): string {
	return identifier.replace(/@[0-9a-f]{16,}$/, '');
}

/** Reads an app's key, which lists show like {@link maskKey} does. */
export function readAppKey(fields: ReplyFields): AppKey {
	return {
		id: readString(fields, 'id'),
		token: readString(fields, 'token'),
		createdAt: toOptionalTime(fields['created_at']),
		lastUsedAt: toOptionalTime(fields['last_used_at']),
	};
}

/** Shows just enough of a key to identify it. */
export function maskKey(token: string): string {
	return `${token.startsWith('app-') ? 'app-' : ''}…${token.slice(-4)}`;
}
