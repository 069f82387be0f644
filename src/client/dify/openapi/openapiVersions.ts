import type { CallOptions } from '../../caller.ts';
import type { Surface } from '../offers.ts';
import { listOf, optionalText } from '../readers/fields.ts';
import { readVersion } from '../readers/versionReaders.ts';
import { checkVersionWords } from '../versionWords.ts';
import type { OpenapiCalls } from './openapiCalls.ts';

const pageSize = 20;

/** Published versions. */
export function openapiVersions(calls: OpenapiCalls): Surface {
	const versions = (appId: string, page: number, options: CallOptions | undefined) =>
		calls.json('versions', { path: { app_id: appId }, query: { page, limit: pageSize } }, options, ({ data, has_more }) => ({
			versions: listOf(data).map(fields => readVersion(fields, fields['current'] === true)),
			hasMore: has_more === true,
		}));
	return {
		async publish(appId, version, options) {
			checkVersionWords(version);
			const body = { marked_name: version.name, marked_comment: version.comment };
			return calls.json('publish', { path: { app_id: appId }, body }, options, value => {
				const warning = optionalText(value['warning']);
				return warning === undefined ? {} : { warning };
			});
		},
		async published(appId, options) {
			const seen = new Set<string>();
			for (let page = 1; ; page++) {
				const { versions: found, hasMore } = await versions(appId, page, options);
				const current = found.find(version => version.current);
				// a page without new items could be followed by endless others
				if (current || !hasMore || found.every(({ id }) => seen.has(id))) {
					return current;
				}
				for (const { id } of found) {
					seen.add(id);
				}
			}
		},
		versions,
		restore: (appId, versionId, options) =>
			calls.json('restore', { path: { app_id: appId, version_id: versionId }, body: {} }, options, () => undefined),
	};
}
