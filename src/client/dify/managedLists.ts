import type { CallOptions } from '../caller.ts';
import { iteratePagesByNumber } from '../pages.ts';
import type { AppVersion, DifyApp, DifyManagement } from './management.ts';

/** Yields the apps of a workspace whose names contain `name`, and fetches pages on demand. */
export function iterateApps(
	management: Pick<DifyManagement, 'apps'>,
	query: { readonly name?: string } = {},
	options?: CallOptions,
): AsyncGenerator<DifyApp, void> {
	return iteratePagesByNumber(1, async page => {
		const { apps, hasMore } = await management.apps({ ...query, page }, options);
		return { data: apps, has_more: hasMore };
	});
}

/** Yields the versions of an app, newest first, and fetches pages on demand. */
export function iterateVersions(
	management: Pick<DifyManagement, 'versions'>,
	appId: string,
	options?: CallOptions,
): AsyncGenerator<AppVersion, void> {
	return iteratePagesByNumber(1, async page => {
		const { versions, hasMore } = await management.versions(appId, page, options);
		return { data: versions, has_more: hasMore };
	});
}
