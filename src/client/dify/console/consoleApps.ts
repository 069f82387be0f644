import type { Surface } from '../offers.ts';
import { maskKey, readApp, readAppKey, readAppPage, readWorkspaces } from '../readers/appReaders.ts';
import { readList } from '../readers/fields.ts';
import type { ConsoleCalls } from './consoleCalls.ts';

const pageSize = 100;

/** Creates the operations for apps and the keys of their service API. */
export function createConsoleApps(calls: ConsoleCalls): Surface {
	return {
		workspaces: options => calls.requestJson('workspaces', { method: 'GET', path: '/workspaces' }, options, readWorkspaces),
		apps: ({ page, name, mode }, options) =>
			calls.requestJson('apps', { method: 'GET', path: '/apps', query: { page, limit: pageSize, name, mode } }, options, readAppPage),
		app: (id, options) => calls.requestJson('app', { method: 'GET', path: '/apps/{app_id}', values: { app_id: id } }, options, readApp),
		setServiceApi: (id, enable_api, options) =>
			calls.requestJson(
				'setServiceApi',
				{ method: 'POST', path: '/apps/{app_id}/api-enable', values: { app_id: id }, body: { enable_api } },
				options,
				() => undefined,
			),
		keys: (id, options) =>
			calls.requestJson('keys', { method: 'GET', path: '/apps/{app_id}/api-keys', values: { app_id: id } }, options, ({ data }) =>
				readList(data).map(fields => {
					const key = readAppKey(fields);
					return { ...key, token: maskKey(key.token) };
				}),
			),
		createKey: (id, options) =>
			calls.requestJson(
				'createKey',
				{ method: 'POST', path: '/apps/{app_id}/api-keys', values: { app_id: id }, body: {} },
				options,
				value => {
					const key = readAppKey(value);
					calls.requests.secrets.add(key.token);
					return key;
				},
			),
		deleteKey: (id, keyId, options) =>
			calls.requestJson(
				'deleteKey',
				{ method: 'DELETE', path: '/apps/{app_id}/api-keys/{key_id}', values: { app_id: id, key_id: keyId } },
				options,
				() => undefined,
			),
	};
}
