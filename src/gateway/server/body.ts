import type { IncomingMessage } from 'node:http';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { CollectedBytes } from '#network/collectedBytes.ts';

/** Reads a request's body, at most `limit` bytes. Throws an error: 413 over the limit, 400 if the connection closes early. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
	if (Number(request.headers['content-length'] ?? 0) > limit) {
		return Promise.reject(createTooLargeError(limit));
	}
	return new Promise((resolve, reject) => {
		let bytes: CollectedBytes | undefined = new CollectedBytes();
		request.on('data', (chunk: Buffer) => {
			bytes?.add(chunk);
			if (bytes && bytes.size > limit) {
				bytes = undefined;
				reject(createTooLargeError(limit));
			}
		});
		request.on('end', () => bytes && resolve(bytes.join()));
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
