import type { DifyDeployment } from './difyDeployment.ts';
import type { Fields } from './state.ts';

export interface Asked {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** The body as JSON; empty if it isn't JSON. */
	readonly body: Fields;
}

export interface Ask {
	readonly method?: string;
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
}

/** Sends a request to a fake deployment without any client logic. */
export async function sendRequest(fake: DifyDeployment, path: string, { method, body, headers = {} }: Ask = {}): Promise<Asked> {
	const response = await fetch(fake.origin + path, {
		method: method ?? (body === undefined ? 'GET' : 'POST'),
		headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		redirect: 'manual',
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: parseJson(text) };
}

/** Sends requests to `/openapi/v1` with a token and the current catalog. */
export function createOpenapiSender(
	fake: DifyDeployment,
	token = fake.sessions.issueToken().token,
): (path: string, how?: Ask) => Promise<Asked> {
	return async (path, how = {}) => {
		const catalog =
			fake.release.openapi === '1.18' ? (await sendRequest(fake, '/openapi/v1/_catalog')).headers.get('x-dify-catalog') : null;
		const headers = { authorization: `Bearer ${token}`, ...(catalog ? { 'x-dify-catalog': catalog } : {}), ...how.headers };
		return await sendRequest(fake, `/openapi/v1${path}`, { ...how, headers });
	};
}

/** Signs in to the console with the password in its release's encoding, and sends requests to it. */
export async function createConsoleSender(fake: DifyDeployment): Promise<(path: string, how?: Ask) => Promise<Asked>> {
	const { email, password } = fake.account;
	const sent = fake.release.login === 'base64' ? Buffer.from(password).toString('base64') : password;
	const login = await sendRequest(fake, '/console/api/login', { body: { email, password: sent } });
	const tokens = login.body['data'] as { access_token: string } | undefined;
	const cookies = getCookies(login);
	const csrf = cookies['csrf_token'] ?? cookies['__Host-csrf_token'] ?? '';
	const cookie = Object.entries(cookies)
		.map(([name, value]) => `${name}=${value}`)
		.join('; ');
	const signed: Record<string, string> = tokens ? { authorization: `Bearer ${tokens.access_token}` } : { cookie, 'x-csrf-token': csrf };
	return (path, how = {}) => sendRequest(fake, `/console/api${path}`, { ...how, headers: { ...signed, ...how.headers } });
}

/** Returns the cookies that a response sets, by name. */
export function getCookies({ headers }: Pick<Asked, 'headers'>): Record<string, string> {
	return Object.fromEntries(headers.getSetCookie().map(each => (each.split(';')[0] ?? '').split(/=(.*)/s).slice(0, 2)));
}

/** Returns the events of a finished stream; a ping has only the name `ping`. */
export function parseStreamEvents({ text }: Pick<Asked, 'text'>): Fields[] {
	return text
		.split('\n\n')
		.filter(each => each.startsWith('data: '))
		.map(each => JSON.parse(each.slice(6)) as Fields);
}

function parseJson(text: string): Fields {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? (value as Fields) : {};
	} catch {
		return {};
	}
}
