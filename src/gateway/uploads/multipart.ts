/** Event while parsing a form: a part starts, has data, or ends; finally, the form ends. */
export type MultipartEvent =
	| { readonly kind: 'part'; readonly name: string; readonly fileName: string | undefined; readonly contentType: string | undefined }
	| { readonly kind: 'data'; readonly data: Buffer }
	| { readonly kind: 'partEnd' }
	| { readonly kind: 'end' };

/** An invalid form. The message says what is wrong. */
export class MultipartError extends Error {
	override readonly name = 'MultipartError';
}

const maxHeaderBytes = 16 * 1024;
const headersEnd = Buffer.from('\r\n\r\n');

/** Returns the boundary in a content type; undefined if it isn't a multipart form. */
export function getBoundary(contentType: string | undefined): string | undefined {
	const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType ?? '');
	return match?.[1] ?? match?.[2];
}

/** Parses a multipart form (RFC 7578) incrementally from chunks of any size. Only buffers a small part of it. */
export class MultipartParser {
	readonly #delimiter: Buffer;
	#rest: Buffer = Buffer.from('\r\n');
	#state: 'preamble' | 'headers' | 'body' | 'end' = 'preamble';

	constructor(boundary: string) {
		this.#delimiter = Buffer.from(`\r\n--${boundary}`);
	}

	/** True if the form has ended. */
	get ended(): boolean {
		return this.#state === 'end';
	}

	/** Yields the events that these bytes complete. Throws a {@link MultipartError}. */
	*push(chunk: Buffer): Generator<MultipartEvent> {
		if (this.ended) {
			return; // ignore everything after the form
		}
		this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
		while (this.#state !== 'end') {
			const known = this.#state === 'headers' ? this.#readHeaders() : this.#readToDelimiter();
			yield* known.events;
			if (!known.more) {
				return;
			}
		}
	}

	#readHeaders(): { readonly events: MultipartEvent[]; readonly more: boolean } {
		const end = this.#rest.indexOf(headersEnd);
		if (end < 0 || end > maxHeaderBytes) {
			if (this.#rest.length > maxHeaderBytes) {
				throw new MultipartError('the headers of a part are larger than 16 KB');
			}
			return { events: [], more: false };
		}
		const headers = this.#rest.toString('utf8', 0, end);
		this.#rest = this.#rest.subarray(end + headersEnd.length);
		this.#state = 'body';
		return { events: [parsePart(headers)], more: true };
	}

	/** Returns the data up to the next delimiter, without bytes at the end that may be the start of one. */
	#readToDelimiter(): { readonly events: MultipartEvent[]; readonly more: boolean } {
		const inBody = this.#state === 'body';
		const at = this.#rest.indexOf(this.#delimiter);
		if (at < 0) {
			const safe = Math.max(0, this.#rest.length - this.#delimiter.length + 1);
			const data = this.#rest.subarray(0, safe);
			this.#rest = this.#rest.subarray(safe);
			return { events: inBody && data.length > 0 ? [{ kind: 'data', data }] : [], more: false };
		}
		const after = at + this.#delimiter.length;
		const line = this.#rest.subarray(after, after + 2).toString('latin1');
		if (line.length < 2) {
			return { events: [], more: false };
		}
		const events: MultipartEvent[] = inBody
			? [...(at > 0 ? [{ kind: 'data', data: this.#rest.subarray(0, at) } as const] : []), { kind: 'partEnd' }]
			: [];
		if (line === '--') {
			this.#state = 'end';
			return { events: [...events, { kind: 'end' }], more: false };
		}
		if (line !== '\r\n') {
			throw new MultipartError("a boundary isn't followed by a line break");
		}
		this.#state = 'headers';
		// the line break after the boundary may also be the first half of the empty headers
		this.#rest = this.#rest.subarray(after + 2);
		return { events, more: true };
	}
}

function parsePart(headers: string): MultipartEvent {
	const lines = headers.split('\r\n');
	const getHeader = (name: string) =>
		lines
			.find(line => line.toLowerCase().startsWith(`${name}:`))
			?.slice(name.length + 1)
			.trim();
	const disposition = getHeader('content-disposition') ?? '';
	const name = getParameter(disposition, 'name');
	if (!/^form-data\b/i.test(disposition) || name === undefined) {
		throw new MultipartError('a part has no name');
	}
	return { kind: 'part', name, fileName: getParameter(disposition, 'filename'), contentType: getHeader('content-type') };
}

/** Returns a parameter of a disposition as browsers and clients write it, with `"` as `%22` or `\"`. */
function getParameter(disposition: string, name: string): string | undefined {
	const match = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, 'i').exec(disposition);
	return (match?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? match?.[2])?.replaceAll('%22', '"');
}
