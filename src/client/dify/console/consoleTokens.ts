import { fieldOf, fieldsOf } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { Reply } from '../../replyCollector.ts';
import type { ConsoleRelease } from '../releases.ts';
import { cookieHeader, receivedCookies } from './cookies.ts';

/** What a login or a refresh gives: headers of the next requests, and the token for the next refresh. */
export interface ConsoleTokens {
	readonly headers: Readonly<Record<string, string>>;
	readonly refreshToken: string;
	/** Unix milliseconds until which the headers serve; `undefined` where the token does not say. */
	readonly until: number | undefined;
	/** Everything of it that must not be shown. */
	readonly secrets: readonly string[];
}

/** Reads them as the release sends them: in the body up to 1.9.1, as cookies after it. `undefined` where they are not all there. */
export function readConsoleTokens({ headers, body }: Reply, { sends }: ConsoleRelease): ConsoleTokens | undefined {
	if (sends === 'bearer') {
		const { access_token, refresh_token } = dataOf(body);
		return typeof access_token === 'string' && typeof refresh_token === 'string'
			? {
					headers: { authorization: `Bearer ${access_token}` },
					refreshToken: refresh_token,
					until: expiryOf(access_token, headers),
					secrets: [access_token, refresh_token],
				}
			: undefined;
	}
	const cookies = receivedCookies(headers);
	const [access, csrf, refresh] = [cookies.get('access_token'), cookies.get('csrf_token'), cookies.get('refresh_token')];
	return access && csrf && refresh
		? {
				headers: { cookie: cookieHeader([access, csrf]), 'x-csrf-token': csrf.value },
				refreshToken: refresh.value,
				until: expiryOf(access.value, headers),
				secrets: [access.value, csrf.value, refresh.value],
			}
		: undefined;
}

function dataOf(body: string): Readonly<Record<string, unknown>> {
	return fieldsOf(fieldOf(tryParseJson(body), 'data'));
}

/** When a JSON web token ends by the clock here: it says so by that of the deployment, which the answer tells (`date`) where the two differ. */
function expiryOf(token: string, { date }: Reply['headers']): number | undefined {
	const expires = fieldOf(tryParseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()), 'exp');
	const there = date === undefined ? Number.NaN : Date.parse(date);
	return typeof expires === 'number' ? expires * 1000 + (Number.isNaN(there) ? 0 : Date.now() - there) : undefined;
}
