/**
 * Base URL as it is kept: http or https, without credentials, query, fragment and trailing slash. Returns `undefined` for anything
 * else, so that a key can never be sent along with a user name or to another scheme.
 */
export function normalizeBaseUrl(text: string): string | undefined {
	const url = URL.parse(text.trim());
	if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.username !== '' || url.password !== '') {
		return undefined;
	}
	return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** What a key is bound to besides its connection: scheme, host and port of a base URL. */
export function originOf(baseUrl: string): string {
	return new URL(baseUrl).origin;
}

/** Whether a base URL sends keys and prompts unencrypted over a network. */
export function isUnencrypted(baseUrl: string): boolean {
	const { protocol, hostname } = new URL(baseUrl);
	return protocol === 'http:' && hostname !== 'localhost' && hostname !== '[::1]' && !hostname.startsWith('127.');
}
