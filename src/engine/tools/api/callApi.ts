import { tryParseJson } from '#base/text/json.ts';
import { type EngineServices, sendRequest } from '../../run/engineTypes.ts';
import type { ToolResult } from '../engineTool.ts';
import type { ApiOperation } from './apiDescription.ts';
import { joinItems, listQueryValues, toParameterText } from './queryStyle.ts';

/** The address of a service and how to access it. */
interface ApiReach {
	readonly base: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly maskKeys: (text: string) => string;
	readonly services: Pick<EngineServices, 'http' | 'settings'>;
	readonly trustedOrigin?: string;
	readonly signal: AbortSignal;
}

type Given = Readonly<Record<string, unknown>>;

const timeoutMs = 60_000;
const maxBytes = 5 * 1024 * 1024;

/** Calls an operation of a service. Rejects with a message that names the service. */
export async function callApi(
	operation: ApiOperation,
	parameters: Given,
	{ base, headers, maskKeys, services, ...reach }: ApiReach,
): Promise<ToolResult> {
	// parameters may have the names of properties of `Object.prototype`
	const given: Given = Object.assign(Object.create(null), parameters);
	const url = buildAddress(operation, given, base);
	const body = buildBody(operation, given);
	const { status, body: received } = await sendRequest(services, {
		network: services.settings.network,
		allowPrivateNetwork: services.settings.allowPrivateNetwork,
		url,
		method: operation.method,
		headers: {
			accept: 'application/json, text/*;q=0.9',
			...buildHeaders(operation, given, headers),
			...(body !== undefined && operation.bodyType !== undefined && { 'content-type': operation.bodyType }),
			...headers,
		},
		secretHeaders: new Set(Object.keys(headers).map(name => name.toLowerCase())),
		body: body === undefined ? undefined : Buffer.from(body),
		verifyCertificates: true,
		connectTimeoutMs: timeoutMs,
		readTimeoutMs: timeoutMs,
		getMaxBytes: () => maxBytes,
		...reach,
	});
	const text = received.toString('utf8');
	if (status < 200 || status > 299) {
		const said = maskKeys(text).slice(0, 500).toWellFormed();
		throw new Error(`${url.host} responded with status ${status}${said === '' ? '' : `: ${said}`}`);
	}
	const json = tryParseJson(text);
	return { text: text || `status ${status}`, ...(json !== undefined && { json }) };
}

function buildAddress({ path, places, styles }: ApiOperation, given: Given, base: string): URL {
	const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => encodePathValue(name, given[name]));
	const url = new URL(base.replace(/(?<!\/)\/+$/, '') + (filled.startsWith('/') ? filled : `/${filled}`));
	for (const [name, each] of places) {
		const value = each.includes('query') ? given[name] : undefined;
		for (const [key, item] of listQueryValues(name, value, styles.get(name))) {
			url.searchParams.append(key, item);
		}
	}
	return url;
}

/** Encodes a value as a single path segment. Otherwise it could reach operations that the description doesn't offer. */
function encodePathValue(name: string, value: unknown): string {
	const text = value === undefined || value === null ? '' : toParameterText(joinItems(value));
	if (text === '' || text === '.' || text === '..') {
		throw new Error(`expected a value for '${name}', which is part of the URL`);
	}
	return encodeURIComponent(text);
}

/** Builds the headers of a request. Headers from the model never override configured ones and can't contain line breaks. */
function buildHeaders({ places }: ApiOperation, given: Given, fixed: Readonly<Record<string, string>>): Record<string, string> {
	const taken = new Set(Object.keys(fixed).map(name => name.toLowerCase()));
	return Object.fromEntries(
		[...places]
			.filter(
				([name, each]) => each.includes('header') && given[name] !== undefined && given[name] !== null && !taken.has(name.toLowerCase()),
			)
			.map(([name]) => {
				const value = toParameterText(joinItems(given[name]));
				if (/[\r\n\0]/.test(value)) {
					throw new Error(`the value of the header '${name}' contains a line break`);
				}
				return [name, value];
			}),
	);
}

function buildBody({ places, bodyType }: ApiOperation, given: Given): string | undefined {
	if (bodyType === undefined) {
		return undefined;
	}
	const fields = Object.entries(given).filter(([name, value]) => places.get(name)?.includes('body') && value !== undefined);
	const [whole] = [...places].flatMap(([name, each]) => (each.includes('whole body') ? [name] : []));
	const content = whole === undefined ? Object.fromEntries(fields) : given[whole];
	if (!/^application\/x-www-form-urlencoded/i.test(bodyType)) {
		return JSON.stringify(content);
	}
	const entries = typeof content === 'object' && content !== null ? Object.entries(content) : [];
	return content === undefined ? undefined : new URLSearchParams(entries.map(([name, value]) => [name, toParameterText(value)])).toString();
}
