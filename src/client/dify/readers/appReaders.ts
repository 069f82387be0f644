import type { AppKey, AppPage, DifyApp, DifyWorkspace, LeakedDependency } from '../management.ts';
import { listOf, optionalNumber, optionalRecord, optionalText, optionalTime, type ReplyFields, textIn } from './fields.ts';

export function readApp(fields: ReplyFields): DifyApp {
	const serviceApi = fields['service_api_enabled'] ?? fields['enable_api'];
	return {
		id: textIn(fields, 'id'),
		name: optionalText(fields['name']) ?? '',
		description: optionalText(fields['description']) ?? '',
		mode: textIn(fields, 'mode'),
		updatedAt: optionalTime(fields['updated_at']),
		...(typeof serviceApi === 'boolean' && { serviceApi }),
	};
}

export function readAppPage(page: ReplyFields): AppPage {
	const apps = listOf(page['data']).map(readApp);
	return {
		apps,
		page: optionalNumber(page['page']) ?? 1,
		total: optionalNumber(page['total']) ?? apps.length,
		hasMore: page['has_more'] === true,
	};
}

/** Reads workspaces under either name that releases use for the list. */
export function readWorkspaces(value: ReplyFields): readonly DifyWorkspace[] {
	return listOf(value['workspaces'] ?? value['data']).map(fields => ({
		id: textIn(fields, 'id'),
		name: optionalText(fields['name']) ?? '',
		role: optionalText(fields['role']),
		current: fields['current'] === true,
	}));
}

export function readDependencies(value: ReplyFields): readonly LeakedDependency[] {
	return listOf(value['leaked_dependencies'] ?? []).map(dependency => {
		const { value: named, type } = dependency;
		const plugin = optionalRecord(named) ?? {};
		const names = [
			dependency['current_identifier'],
			plugin['marketplace_plugin_unique_identifier'],
			plugin['github_plugin_unique_identifier'],
			plugin['plugin_unique_identifier'],
		];
		return { type: optionalText(type) ?? '', name: withoutDigest(names.map(optionalText).find(Boolean) ?? JSON.stringify(named ?? '')) };
	});
}

/** Removes the digest after the version, as in `langgenius/openai:0.0.13@3f…`. */
function withoutDigest(identifier: string): string {
	return identifier.replace(/@[0-9a-f]{16,}$/, '');
}

/** Reads an app's key, which is {@link masked} in lists. */
export function readKey(fields: ReplyFields): AppKey {
	return {
		id: textIn(fields, 'id'),
		token: textIn(fields, 'token'),
		createdAt: optionalTime(fields['created_at']),
		lastUsedAt: optionalTime(fields['last_used_at']),
	};
}

/** Shows just enough of a key to identify it. */
export function masked(token: string): string {
	return `${token.startsWith('app-') ? 'app-' : ''}…${token.slice(-4)}`;
}
