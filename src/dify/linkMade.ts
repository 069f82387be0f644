import { getField, getFieldText } from '#base/records/plainValues.ts';
import type { ExportedApp } from '#client/dify/management.ts';
import type { AppContent } from './content/appContent.ts';
import { hashContent, hashLayout } from './content/contentHash.ts';
import type { DifyLink } from './linkTypes.ts';

/** Creates the link of a file from a fresh export. */
export function createLink(
	app: Pick<DifyLink, 'origin' | 'workspace_id' | 'app_id'>,
	{ draftHash }: ExportedApp,
	content: AppContent,
	versionId?: string,
): DifyLink {
	const { origin, workspace_id, app_id } = app;
	return {
		origin,
		workspace_id,
		app_id,
		mode: getAppMode(content),
		base: {
			// the hash belongs to the draft, not to a version
			...(draftHash === undefined || versionId !== undefined ? {} : { draft_hash: draftHash }),
			content_hash: hashContent(content),
			layout_hash: hashLayout(content),
			...(versionId === undefined ? {} : { version_id: versionId }),
			dsl_version: getFieldText(content.whole, 'version') || '0.1.0',
		},
	};
}

/** Returns the mode of a file's app; empty if it has none. */
export function getAppMode(content: AppContent): string {
	return getFieldText(getField(content.whole, 'app'), 'mode');
}

/** Returns the name of a file's app; empty if it has none. */
export function getAppName(content: AppContent): string {
	return getFieldText(getField(content.whole, 'app'), 'name');
}
