import type { Exchange } from '../exchange.ts';
import type { ConsoleTokens } from '../sessions.ts';

/** Returns a cookie of the request by its plain name; `__Host-` is added if this deployment uses it. */
export function getCookie(exchange: Exchange, name: string): string | undefined {
	const pairs = (exchange.request.headers.cookie ?? '').split(/;\s*/).map(each => each.split(/=(.*)/s));
	return pairs.find(([key]) => key === getCookieName(exchange, name))?.[1];
}

/** Sets the three cookies of a session. */
export function setSessionCookies(exchange: Exchange, { access, csrf, refresh }: ConsoleTokens): void {
	setCookie(exchange, 'access_token', access, 3600, true);
	setCookie(exchange, 'refresh_token', refresh, 30 * 24 * 3600, true);
	setCookie(exchange, 'csrf_token', csrf, 3600, false);
}

export function clearSessionCookies(exchange: Exchange): void {
	for (const name of ['access_token', 'refresh_token', 'csrf_token']) {
		exchange.cookies.push(`${getCookieName(exchange, name)}=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; SameSite=Lax`);
	}
}

function setCookie(exchange: Exchange, name: string, value: string, seconds: number, hidden: boolean): void {
	const secure = exchange.fake.options.hostCookies ? 'Secure; ' : '';
	exchange.cookies.push(
		`${getCookieName(exchange, name)}=${value}; ${secure}${hidden ? 'HttpOnly; ' : ''}Max-Age=${seconds}; Path=/; SameSite=Lax`,
	);
}

function getCookieName({ fake }: Exchange, name: string): string {
	return fake.options.hostCookies ? `__Host-${name}` : name;
}
