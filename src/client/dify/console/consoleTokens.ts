import { getField, toFields } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { Reply } from '../../replyCollector.ts';
import type { ConsoleRelease } from '../releases.ts';
import { formatCookieHeader, readCookies } from './cookies.ts';

/** Result of a login or a refresh: headers for the next requests, and the token for the next refresh. */
export interface ConsoleTokens {
	readonly headers: Readonly<Record<string, string>>;
	readonly refreshToken: string;
	/** Unix milliseconds when the headers expire; `undefined` if the token doesn't say. */
	readonly until: number | undefined;
	/** All values that must not be shown. */
	readonly secrets: readonly string[];
}

/** Reads the tokens as the release sends them: in the body up to 1.9.1, as cookies after that. Returns `undefined` if any is missing. */
export function readConsoleTokens({ headers, body }: Reply, { sends }: ConsoleRelease): ConsoleTokens | undefined {
	if (sends === 'bearer') {
		const { access_token, refresh_token } = parseData(body);
		return typeof access_token === 'string' && typeof refresh_token === 'string'
			? {
					headers: { authorization: `Bearer ${access_token}` },
					refreshToken: refresh_token,
					until: readExpiry(access_token, headers),
					secrets: [access_token, refresh_token],
				}
			: undefined;
	}
	const cookies = readCookies(headers);
	const [access, csrf, refresh] = [cookies.get('access_token'), cookies.get('csrf_token'), cookies.get('refresh_token')];
	return access && csrf && refresh
		? {
				headers: { cookie: formatCookieHeader([access, csrf]), 'x-csrf-token': csrf.value },
				refreshToken: refresh.value,
				until: readExpiry(access.value, headers),
				secrets: [access.value, csrf.value, refresh.value],
			}
		: undefined;
}

function parseData(body: string): Readonly<Record<string, unknown>> {
	return toFields(getField(tryParseJson(body), 'data'));
}

/**
 * Returns the local time when a JSON web token expires. The token's own time follows the deployment's clock, which the response gives in
 * `date`.
 */
function readExpiry(token: string, { date }: Reply['headers']): number | undefined {
	const expires = getField(tryParseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()), 'exp');
	const there = date === undefined ? Number.NaN : Date.parse(date);
	return typeof expires === 'number' ? expires * 1000 + (Number.isNaN(there) ? 0 : Date.now() - there) : undefined;
}
