import type { AppContent } from './content/appContent.ts';
import { hashContent, hashLayout } from './content/contentHash.ts';
import type { LinkState } from './linkTypes.ts';

/**
 * Compares a file and its app in Dify. The same change on both sides counts as `same`, whatever the base is.
 * @param base content hash of both when they last matched
 */
export function getLinkState(base: string, here: AppContent, there: AppContent): LinkState {
	const [hashHere, hashThere] = [hashContent(here), hashContent(there)];
	if (hashHere === hashThere) {
		return hashLayout(here) === hashLayout(there) ? 'same' : 'layout';
	}
	if (hashHere === base) {
		return 'changed-there';
	}
	return hashThere === base ? 'changed-here' : 'changed-both';
}

/** True if two apps have the same content and layout. */
export function isSameApp(a: AppContent, b: AppContent): boolean {
	return hashContent(a) === hashContent(b) && hashLayout(a) === hashLayout(b);
}
