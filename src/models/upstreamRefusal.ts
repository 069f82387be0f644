import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { findPageTitle } from '#network/pageTitle.ts';
import { decompressBody } from './compression.ts';
import { createRetryAfterHeader } from './headerValues.ts';
import { maskKey } from './keyMask.ts';

/** An upstream's unsuccessful response: an error, a web page, or a redirect. */
export class UpstreamRefusal {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly #chunks: Buffer[] = [];
	#size = 0;

	constructor(status: number, headers: IncomingHttpHeaders) {
		this.status = status;
		this.headers = headers;
	}

	/** Adds a chunk of the body. Returns true if the body is too long for an error, so that reading can stop. */
	add(chunk: Buffer): boolean {
		if (this.#size < maxBody) {
			this.#chunks.push(chunk);
			this.#size += chunk.length;
		}
		return this.#size >= maxBody;
	}

	getBody(): Buffer {
		return Buffer.concat(this.#chunks);
	}

	/** Returns the body as JSON; undefined if it isn't valid JSON or can't be decompressed. */
	parseJson(): unknown {
		return tryParseJson(this.getText());
	}

	/** Returns the decompressed body as text; empty if that fails. */
	getText(): string {
		return decompressBody(this.getBody(), this.headers['content-encoding'] ?? 'identity')?.toString('utf8') ?? '';
	}
}

/**
 * Converts a refusal to an error for the caller's protocol. Keeps the message in the body, and the status if it's an error status
 * (otherwise 502). Masks `key` in case the upstream repeated it.
 */
export function createRefusalFault(refusal: UpstreamRefusal, origin: string, key?: string): ServiceFault {
	const { status, headers } = refusal;
	return new ServiceFault(status >= 400 ? status : 502, describeRefusal(refusal, origin, key), {
		headers: createRetryAfterHeader(headers['retry-after']),
	});
}

function describeRefusal(refusal: UpstreamRefusal, origin: string, key: string | undefined): LocalizableMessage {
	const { status } = refusal;
	if (status < 300) {
		return localizable`The service at ${origin} responded with a web page (status ${status}). Check the address.`;
	}
	if (status < 400) {
		return localizable`The service at ${origin} responded with a redirect (status ${status}). Check the address.`;
	}
	const said = readMessage(refusal, key).replace(/([^.!?…])$/, '$1.');
	return said === ''
		? localizable`The service at ${origin} responded with ${status}.`
		: localizable`The service at ${origin} responded with ${status}: ${said}`;
}

/**
 * Reads the message in an error body, in any of the usual forms: `{error: {message}}`, `[{error}]`, `{error: "…"}`, `{message}`,
 * `{detail}`.
 */
export function readErrorMessage(body: unknown): string | undefined {
	const [value] = Array.isArray(body) ? body : [body];
	if (!isRecord(value)) {
		return undefined;
	}
	for (const candidate of [isRecord(value['error']) ? value['error']['message'] : value['error'], value['message'], value['detail']]) {
		if (typeof candidate === 'string' && candidate !== '') {
			return candidate;
		}
	}
	return undefined;
}

const maxBody = 64 * 1024;
const maxSentence = 500;

/** Returns the message to show. Masks the key before cutting the message, because half a key wouldn't be found. */
function readMessage(refusal: UpstreamRefusal, key: string | undefined): string {
	const message = readErrorMessage(refusal.parseJson());
	if (message !== undefined) {
		return maskKey(message, key).slice(0, maxSentence);
	}
	const text = maskKey(refusal.getText(), key);
	const said = findPageTitle(text) ?? (text.trimStart().startsWith('<') ? 'web page' : text.trim());
	return said.slice(0, maxSentence).replace(/\s+/g, ' ');
}
