import type { AppContent } from './content/appContent.ts';
import { contentHash, layoutHash } from './content/contentHash.ts';
import type { LinkState } from './linkTypes.ts';

/**
 * Compares a file and its app in Dify. The same change on both sides counts as `same`, whatever the base.
 * @param base content hash of both when they were last the same
 */
export function linkState(base: string, here: AppContent, there: AppContent): LinkState {
	const [hashHere, hashThere] = [contentHash(here), contentHash(there)];
	if (hashHere === hashThere) {
		return layoutHash(here) === layoutHash(there) ? 'same' : 'layout';
	}
	if (hashHere === base) {
		return 'changed-there';
	}
	return hashThere === base ? 'changed-here' : 'changed-both';
}

/** True if two apps have the same content and layout. */
export function isSameApp(a: AppContent, b: AppContent): boolean {
	return contentHash(a) === contentHash(b) && layoutHash(a) === layoutHash(b);
}
