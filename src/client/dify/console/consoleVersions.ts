import type { Surface } from '../offers.ts';
import { readList } from '../readers/fields.ts';
import { readVersion } from '../readers/versionReaders.ts';
import { checkVersionName } from '../versionName.ts';
import type { ConsoleCalls } from './consoleCalls.ts';

const pageSize = 20;

/** Creates the operations for published versions. */
export function createConsoleVersions(calls: ConsoleCalls): Surface {
	return {
		async publish(appId, version, options) {
			checkVersionName(version);
			const body = { marked_name: version.name, marked_comment: version.comment };
			const call = { method: 'POST', path: '/apps/{app_id}/workflows/publish', values: { app_id: appId }, body } as const;
			return calls.requestJson('publish', call, options, () => ({}));
		},
		async published(appId, options) {
			const request = calls.buildRequest('published', {
				method: 'GET',
				path: '/apps/{app_id}/workflows/publish',
				values: { app_id: appId },
			});
			const reply = await calls.requests.requestReply(request, options);
			return reply.body.trim() === 'null' || reply.body.trim() === ''
				? undefined
				: calls.requests.readReply(reply, request, fields => readVersion(fields as Parameters<typeof readVersion>[0], true));
		},
		versions(appId, page, options) {
			const call = {
				method: 'GET',
				path: '/apps/{app_id}/workflows',
				values: { app_id: appId },
				query: { page, limit: pageSize },
			} as const;
			return calls.requestJson('versions', call, options, ({ items, has_more }) => ({
				// the list starts with the draft, followed by the published version
				versions: readList(items)
					.filter(({ version }) => version !== 'draft')
					.map((fields, index) => readVersion(fields, page === 1 && index === 0)),
				hasMore: has_more === true,
			}));
		},
		restore: (appId, versionId, options) =>
			calls.requestJson(
				'restore',
				{
					method: 'POST',
					path: '/apps/{app_id}/workflows/{version_id}/restore',
					values: { app_id: appId, version_id: versionId },
					body: {},
				},
				options,
				() => undefined,
			),
	};
}
