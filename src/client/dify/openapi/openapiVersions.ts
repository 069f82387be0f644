import type { CallOptions } from '../../caller.ts';
import type { Surface } from '../offers.ts';
import { readList, toOptionalText } from '../readers/fields.ts';
import { readVersion } from '../readers/versionReaders.ts';
import { checkVersionName } from '../versionName.ts';
import type { OpenapiCalls } from './openapiCalls.ts';

const pageSize = 20;

/** Creates the operations for published versions. */
export function createOpenapiVersions(calls: OpenapiCalls): Surface {
	const listVersions = (appId: string, page: number, options: CallOptions | undefined) =>
		calls.requestJson('versions', { path: { app_id: appId }, query: { page, limit: pageSize } }, options, ({ data, has_more }) => ({
			versions: readList(data).map(fields => readVersion(fields, fields['current'] === true)),
			hasMore: has_more === true,
		}));
	return {
		async publish(appId, version, options) {
			checkVersionName(version);
			const body = { marked_name: version.name, marked_comment: version.comment };
			return calls.requestJson('publish', { path: { app_id: appId }, body }, options, value => {
				const warning = toOptionalText(value['warning']);
				return warning === undefined ? {} : { warning };
			});
		},
		async published(appId, options) {
			const seen = new Set<string>();
			for (let page = 1; ; page++) {
				const { versions: found, hasMore } = await listVersions(appId, page, options);
				const current = found.find(version => version.current);
				// stop at a page without new items, because a faulty server could send such pages endlessly
				if (current || !hasMore || found.every(({ id }) => seen.has(id))) {
					return current;
				}
				for (const { id } of found) {
					seen.add(id);
				}
			}
		},
		versions: listVersions,
		restore: (appId, versionId, options) =>
			calls.requestJson('restore', { path: { app_id: appId, version_id: versionId }, body: {} }, options, () => undefined),
	};
}
