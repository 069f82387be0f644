import { readAllPages } from '../../pages.ts';
import type { AppPage } from '../management.ts';
import type { Surface } from '../offers.ts';
import { readApp, readAppPage, readWorkspaces } from '../readers/appReaders.ts';
import type { OpenapiCalls } from './openapiCalls.ts';

const pageSize = 100;

/** Creates the operations for workspaces and apps. */
export function createOpenapiApps(calls: OpenapiCalls): Surface {
	return {
		async workspaces(options) {
			const fetchPage = (page: number) => {
				// releases without pages reject the parameter
				const query = page === 1 ? {} : { page };
				return calls.requestJson('workspaces', { query }, options, value => ({
					items: readWorkspaces(value),
					next: value['has_more'] === true ? page + 1 : undefined,
				}));
			};
			return readAllPages(1, fetchPage, ({ id }) => id);
		},
		async switchWorkspace(workspaceId) {
			calls.switchWorkspace(workspaceId);
		},
		async apps({ page, name, mode }, options): Promise<AppPage> {
			const workspace_id = await calls.getWorkspace(options);
			return calls.requestJson('apps', { query: { workspace_id, page, limit: pageSize, name, mode } }, options, readAppPage);
		},
		app: (appId, options) =>
			calls.requestJson('app', { path: { app_id: appId }, query: { fields: 'info' } }, options, value =>
				readApp(value['info'] as typeof value),
			),
		setServiceApi: (appId, enabled, options) =>
			calls.requestJson('setServiceApi', { path: { app_id: appId }, body: { enabled } }, options, () => undefined),
	};
}
