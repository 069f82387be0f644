import type { IncomingHttpHeaders } from 'node:http';
import zlib from 'node:zlib';

interface Encoding {
	readonly decompressWhole: (body: Buffer, options: zlib.ZlibOptions & zlib.BrotliOptions) => Buffer;
	/** Creates a decoder that accepts a body that ends too early. */
	readonly createStream: () => zlib.Unzip | zlib.BrotliDecompress;
}

const unzip: Encoding = {
	decompressWhole: (body, options) => zlib.unzipSync(body, options),
	createStream: () => zlib.createUnzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH }),
};
const brotli: Encoding = {
	decompressWhole: (body, options) => zlib.brotliDecompressSync(body, options),
	createStream: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
};
const encodings = new Map([
	['gzip', unzip],
	['x-gzip', unzip],
	['deflate', unzip],
	['br', brotli],
]);

/** A reply can't be decompressed. */
export class UnreadableBodyError extends Error {
	override readonly name = 'UnreadableBodyError';
	readonly code = 'ERR_UNREADABLE_BODY';
}

/** Maximum size of a whole body after decompression, in bytes. */
const maxWhole = 1024 * 1024;

/** Returns the name of a reply's encoding if it can be decompressed. */
export function findEncoding(headers: IncomingHttpHeaders): string | undefined {
	const name = String(headers['content-encoding'] ?? '')
		.trim()
		.toLowerCase();
	return encodings.has(name) ? name : undefined;
}

/** Decompresses up to 1 MiB. Returns undefined if the encoding is unknown or the bytes are invalid. */
export function decompressBody(body: Buffer, encoding: string): Buffer | undefined {
	if (encoding === 'identity') {
		return body;
	}
	try {
		return encodings.get(encoding.toLowerCase())?.decompressWhole(body, { maxOutputLength: maxWhole });
	} catch {
		return undefined;
	}
}

/** Creates a stream that decompresses a body as it arrives. A body that ends too early isn't an error, as in browsers. */
export function createDecoder(encoding: string): zlib.Unzip | zlib.BrotliDecompress | undefined {
	return encodings.get(encoding)?.createStream();
}

/**
 * Removes encodings that the gateway can't decompress from an `accept-encoding` header. Also removes `deflate`, because services send two
 * formats under this name.
 */
export function keepKnownEncodings(accepted: string): string {
	const kept = accepted.split(',').filter(each => {
		const name = each.split(';', 1).join('').trim().toLowerCase();
		return name !== 'deflate' && encodings.has(name);
	});
	return kept.map(each => each.trim()).join(', ') || 'identity';
}
