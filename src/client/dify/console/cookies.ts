import type { IncomingHttpHeaders } from 'node:http';

/** Cookies of a console's session, by their names without prefix; deployments behind https put `__Host-` before each. */
type ConsoleCookie = 'access_token' | 'csrf_token' | 'refresh_token';

/** A cookie as it came: its whole name and its value. */
interface ReceivedCookie {
	readonly name: string;
	readonly value: string;
}

/** Cookies of the console that an answer sets; one that is taken back is none. */
export function receivedCookies(headers: IncomingHttpHeaders): ReadonlyMap<ConsoleCookie, ReceivedCookie> {
	const found = new Map<ConsoleCookie, ReceivedCookie>();
	for (const line of headers['set-cookie'] ?? []) {
		const [, name, plain, value] = /^\s*((?:__Host-|__Secure-)?(access_token|csrf_token|refresh_token))=([^;]*)/.exec(line) ?? [];
		if (name !== undefined && value) {
			found.set(plain as ConsoleCookie, { name, value: value.trim() });
		}
	}
	return found;
}

/** The header `cookie` for these. */
export function cookieHeader(cookies: Iterable<ReceivedCookie | undefined>): string {
	return [...cookies]
		.filter(cookie => cookie !== undefined)
		.map(({ name, value }) => `${name}=${value}`)
		.join('; ');
}

/** A refresh token under both names that a deployment may have for it: which one, only its answers tell. */
export function refreshCookies(token: string): string {
	return cookieHeader([
		{ name: 'refresh_token', value: token },
		{ name: '__Host-refresh_token', value: token },
	]);
}
