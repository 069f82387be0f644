/** True if a release of Dify is at least another one, such as `1.13.3`; false for text that isn't a release. */
export function isAtLeast(release: string | undefined, least: string): boolean {
	const parts = parseRelease(release);
	const wanted = parseRelease(least)!;
	const at = parts?.findIndex((part, index) => part !== wanted[index]);
	return parts !== undefined && (at === -1 || parts[at!]! > wanted[at!]!);
}

/** Major, minor and patch number of a release; `undefined` for text that isn't a release. */
export function parseRelease(release: string | undefined): [number, number, number] | undefined {
	const [, major, minor, patch] = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(release ?? '') ?? [];
	return major === undefined ? undefined : [Number(major), Number(minor), Number(patch ?? 0)];
}
