import type { CallOptions } from '../../caller.ts';
import { iterateVersions } from '../managedLists.ts';
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
			for await (const version of iterateVersions({ versions: listVersions }, appId, options)) {
				if (version.current) {
					return version;
				}
			}
			return undefined;
		},
		versions: listVersions,
		restore: (appId, versionId, options) =>
			calls.requestJson('restore', { path: { app_id: appId, version_id: versionId }, body: {} }, options, () => undefined),
	};
}
