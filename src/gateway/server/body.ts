import type { IncomingMessage } from 'node:http';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Reads a request's body, at most `limit` bytes. Throws an error: 413 over the limit, 400 if the connection closes early. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
	if (Number(request.headers['content-length'] ?? 0) > limit) {
		return Promise.reject(createTooLargeError(limit));
	}
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let size = 0;
		request.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size <= limit) {
				chunks.push(chunk);
				return;
			}
			chunks.length = 0;
			reject(createTooLargeError(limit));
		});
		request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
		request.on('close', () => {
			if (!request.complete) {
				reject(new ServiceFault(400, localizable`The connection closed before the request body was complete.`));
			}
		});
		request.on('error', () => reject(new ServiceFault(400, localizable`The connection closed before the request body was complete.`)));
	});
}

function createTooLargeError(limit: number): ServiceFault {
	return new ServiceFault(413, localizable`The request body is too large. The limit is ${limit} bytes.`);
}
