import { sendRequest } from '../run/engineTypes.ts';
import type { ToolFunction } from './engineTool.ts';

const maxBytes = 5 * 1024 * 1024;
const timeoutMs = 30_000;
/** Maximum length of the tool's output in characters. */
const maxText = 100_000;

/** Returns the readable text of the page at `url`. Private networks are refused unless the gateway's user allows them. */
export const scrapePage: ToolFunction = async ({ url }, { services, signal }) => {
	const address = String(url ?? '').trim();
	if (!URL.canParse(address)) {
		throw new Error(`'${address}' isn't a valid URL. Expected http:// or https:// at the start.`);
	}
	const { status, headers, body } = await sendRequest(services, {
		url: new URL(address),
		method: 'GET',
		headers: { accept: 'text/html, text/plain;q=0.9, */*;q=0.1' },
		secretHeaders: new Set(),
		body: undefined,
		network: services.settings.network,
		allowPrivateNetwork: services.settings.allowPrivateNetwork,
		verifyCertificates: true,
		connectTimeoutMs: timeoutMs,
		readTimeoutMs: timeoutMs,
		getMaxBytes: () => maxBytes,
		signal,
	});
	if (status < 200 || status > 299) {
		throw new Error(`${new URL(address).host} responded with status ${status}`);
	}
	const type = headers['content-type'] ?? '';
	const document = {
		name: address,
		mimeType: /html/i.test(type) ? type.replace(/^[^;]*/, 'text/html') : type.replace(/^[^;]*/, 'text/plain'),
		bytes: body,
	};
	return { text: (await services.documents.readText(document, signal)).slice(0, maxText) };
};
