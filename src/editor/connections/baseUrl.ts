/**
 * Normalizes an http or https URL: removes the query, the fragment and trailing slashes. Returns `undefined` for other schemes and for URLs
 * with credentials, so that a key is never sent along with a user name or over another protocol.
 */
export function normalizeBaseUrl(text: string): string | undefined {
	const url = URL.parse(text.trim());
	if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.username !== '' || url.password !== '') {
		return undefined;
	}
	return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** Returns the scheme, host and port of a base URL. A key is bound to its connection and this origin. */
export function getUrlOrigin(baseUrl: string): string {
	return new URL(baseUrl).origin;
}

/** True if a base URL uses http to another machine, so that keys and prompts cross the network without encryption. */
export function isUnencrypted(baseUrl: string): boolean {
	const { protocol, hostname } = new URL(baseUrl);
	return protocol === 'http:' && hostname !== 'localhost' && hostname !== '[::1]' && !hostname.startsWith('127.');
}
