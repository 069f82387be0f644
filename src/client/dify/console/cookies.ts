import type { IncomingHttpHeaders } from 'node:http';

/** Cookies of a console's session, without prefix; deployments with https add `__Host-` to each name. */
type ConsoleCookie = 'access_token' | 'csrf_token' | 'refresh_token';

/** A cookie as received: full name and value. */
interface ReceivedCookie {
	readonly name: string;
	readonly value: string;
}

/** Returns the console's cookies that a response sets; deleted cookies are skipped. */
export function readCookies(headers: IncomingHttpHeaders): ReadonlyMap<ConsoleCookie, ReceivedCookie> {
	const found = new Map<ConsoleCookie, ReceivedCookie>();
	for (const line of headers['set-cookie'] ?? []) {
		const [, name, plain, value] = /^\s*((?:__Host-|__Secure-)?(access_token|csrf_token|refresh_token))=([^;]*)/.exec(line) ?? [];
		if (name !== undefined && value) {
			found.set(plain as ConsoleCookie, { name, value: value.trim() });
		}
	}
	return found;
}

/** Returns the `cookie` header for these cookies. */
export function formatCookieHeader(cookies: Iterable<ReceivedCookie | undefined>): string {
	return [...cookies]
		.filter(cookie => cookie !== undefined)
		.map(({ name, value }) => `${name}=${value}`)
		.join('; ');
}

/** Sends a refresh token under both names a deployment may use, because only its responses show which one it is. */
export function formatRefreshCookies(token: string): string {
	return formatCookieHeader([
		{ name: 'refresh_token', value: token },
		{ name: '__Host-refresh_token', value: token },
	]);
}
