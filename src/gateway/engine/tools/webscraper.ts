import { htmlText } from '../htmlText.ts';
import { guardedRequest } from '../net/guardedRequest.ts';
import type { Tool } from './tools.ts';

const maxBytes = 5 * 1024 * 1024;
const timeoutMs = 30_000;
/** Characters that the tool gives at most. */
const maxText = 100_000;

/** The readable text of the page at `url`. Private networks are refused unless the gateway's user allows them. */
export const webscraper: Tool = async ({ url }, services, signal) => {
	const address = String(url ?? '').trim();
	if (!URL.canParse(address)) {
		throw new Error(`"${address}" is no address; one begins with http:// or https://`);
	}
	const { status, headers, body } = await guardedRequest({
		url: new URL(address),
		method: 'GET',
		headers: { accept: 'text/html, text/plain;q=0.9, */*;q=0.1' },
		body: undefined,
		allowPrivateNetwork: services.settings.allowPrivateNetwork,
		verifyCertificates: true,
		connectTimeoutMs: timeoutMs,
		readTimeoutMs: timeoutMs,
		maxBytes: () => maxBytes,
		signal,
	});
	if (status < 200 || status > 299) {
		throw new Error(`${new URL(address).host} answers with status ${status}`);
	}
	const text = body.toString();
	return { text: (/html/i.test(headers['content-type'] ?? '') ? htmlText(text) : text).slice(0, maxText) };
};
