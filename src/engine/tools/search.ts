import { sendRequest } from '../run/engineTypes.ts';
import type { EngineTool } from './engineTool.ts';

/** The configured search service. */
interface SearchSettings {
	/** Address of the service, with `{query}` as placeholder for the search terms. */
	readonly url: string;
	/** Returns the headers to send with each request; their values are keys. Throws if a key is missing. */
	readonly getHeaders: () => Readonly<Record<string, string>>;
	/** Masks keys in the service's response. Must be applied before truncating, since a partial key wouldn't be found. */
	readonly maskKeys: (text: string) => string;
}

const timeoutMs = 30_000;
const maxBytes = 5 * 1024 * 1024;
/** Maximum length of the tool's output in characters. */
const maxText = 50_000;

/** Names under which exported files refer to web search tools. */
export const searchTools: ReadonlySet<string> = new Set([
	'tavily_search',
	'google_search',
	'ddgo_search',
	'duckduckgo_search',
	'ddg_search',
	'bing_web_search',
	'brave_search',
	'searxng_search',
	'serper_search',
	'linkup_search',
	'exa_search',
	'search',
	'web_search',
]);

/**
 * Creates a tool that searches the web with the configured service. The service may be on a private network, because the user chose its
 * address.
 */
export function createSearchTool({ url, getHeaders, maskKeys }: SearchSettings): EngineTool {
	return {
		name: 'web_search',
		provider: 'search',
		description: 'Searches the web.',
		parameters: {
			type: 'object',
			properties: { query: { type: 'string', description: 'Search terms.' } },
			required: ['query'],
		},
		async use(parameters, { services, signal }) {
			const query = String(parameters['query'] ?? parameters['q'] ?? parameters['keyword'] ?? '').trim();
			if (query === '') {
				throw new Error("expected search terms in 'query'");
			}
			const headers = getHeaders();
			const address = new URL(url.replaceAll('{query}', encodeURIComponent(query)));
			const {
				status,
				body,
				headers: received,
			} = await sendRequest(services, {
				url: address,
				method: 'GET',
				headers: { accept: 'application/json, text/plain;q=0.9, text/html;q=0.8', ...headers },
				secretHeaders: new Set(Object.keys(headers).map(name => name.toLowerCase())),
				body: undefined,
				network: services.settings.network,
				allowPrivateNetwork: services.settings.allowPrivateNetwork,
				trustedOrigin: address.origin,
				verifyCertificates: true,
				connectTimeoutMs: timeoutMs,
				readTimeoutMs: timeoutMs,
				getMaxBytes: () => maxBytes,
				signal,
			});
			if (status < 200 || status > 299) {
				throw new Error(`the search service ${address.host} responded with status ${status}`);
			}
			const type = received['content-type'] ?? 'text/plain';
			if (!/html/i.test(type)) {
				return { text: maskKeys(body.toString('utf8')).slice(0, maxText).toWellFormed() };
			}
			const text = await services.documents.readText({ name: address.host, mimeType: type, bytes: body }, signal);
			return { text: maskKeys(text).slice(0, maxText) };
		},
	};
}
