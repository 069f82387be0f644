import type { AppContent } from './content/appContent.ts';
import { contentHash, layoutHash } from './content/contentHash.ts';
import type { LinkState } from './linkTypes.ts';

/**
 * How file and deployment stand to each other. What both changed in the same way is no difference any more: `same`, whatever the base.
 * @param base content hash of what both were when they were last the same
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

/** Whether two apps are the same, their layout too. */
export function isSameApp(a: AppContent, b: AppContent): boolean {
	return contentHash(a) === contentHash(b) && layoutHash(a) === layoutHash(b);
}
