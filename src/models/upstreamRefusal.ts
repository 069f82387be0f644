import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, inflateSync, unzipSync } from 'node:zlib';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { pageTitle } from '#network/pageTitle.ts';
import { retryAfterHeader } from './headerValues.ts';
import { withoutKey } from './keyMask.ts';

/** A reply of an upstream that is no success: an error in some form, a page, or a redirect. */
export class UpstreamRefusal {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly #chunks: Buffer[] = [];
	#size = 0;

	constructor(status: number, headers: IncomingHttpHeaders) {
		this.status = status;
		this.headers = headers;
	}

	/** Adds a chunk of the body. Returns whether the body has reached a size that error bodies do not reach, so that no more is read. */
	add(chunk: Buffer): boolean {
		if (this.#size < maxBody) {
			this.#chunks.push(chunk);
			this.#size += chunk.length;
		}
		return this.#size >= maxBody;
	}

	/** The bytes as they came. */
	body(): Buffer {
		return Buffer.concat(this.#chunks);
	}

	/** The body as JSON; undefined where it is none, or in an encoding that cannot be undone. */
	json(): unknown {
		return tryParseJson(this.text());
	}

	/** The body as text, decompressed; empty where that fails. */
	text(): string {
		return decompress(this.body(), this.headers['content-encoding'] ?? 'identity')?.toString('utf8') ?? '';
	}
}

/**
 * The same refusal as a fault, for the caller's protocol: the status is kept where it is an error's (else it becomes 502), and so is what the
 * body says in whichever form. `key` is masked, should the upstream have repeated it.
 */
export function refusalFault(refusal: UpstreamRefusal, origin: string, key?: string): ServiceFault {
	const { status, headers } = refusal;
	const said = sentenceOf(refusal, key);
	return new ServiceFault(
		status >= 400 ? status : 502,
		`The service at ${origin} answered ${status}${said && `: ${said}`}`.replace(/([^.!?…])$/, '$1.'),
		{
			headers: retryAfterHeader(withoutKey(headers['retry-after'] ?? '', key)),
		},
	);
}

/** Message of an error body in any of the usual forms: `{error: {message}}`, `[{error}]`, `{error: "…"}`, `{message}`, `{detail}`. */
export function errorMessageOf(body: unknown): string | undefined {
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

/** The key is masked before anything is cut: half a key would not be found any more. */
function sentenceOf(refusal: UpstreamRefusal, key: string | undefined): string {
	if (refusal.status < 400) {
		return refusal.status < 300 ? 'a page instead of a reply; look at the address' : 'a redirect; look at the address';
	}
	const message = errorMessageOf(refusal.json());
	if (message !== undefined) {
		return withoutKey(message, key).slice(0, maxSentence);
	}
	const text = withoutKey(refusal.text(), key);
	const said = pageTitle(text) ?? (text.trimStart().startsWith('<') ? 'a page' : text.trim());
	return said.slice(0, maxSentence).replace(/\s+/g, ' ');
}

/** Undoes a content encoding, up to 1 MiB. Returns undefined if the encoding is unknown or the bytes aren't valid. */
export function decompress(body: Buffer, encoding: string): Buffer | undefined {
	const options = { maxOutputLength: 1024 * 1024 };
	try {
		switch (encoding) {
			case 'identity':
				return body;
			case 'gzip':
				return unzipSync(body, options);
			case 'deflate':
				return inflateSync(body, options);
			case 'br':
				return brotliDecompressSync(body, options);
			default:
				return undefined;
		}
	} catch {
		return undefined;
	}
}
