import http from 'node:http';

/** A raw HTTP response. */
export interface RawReply {
	readonly status: number;
	readonly headers: http.IncomingHttpHeaders;
	readonly body: Buffer;
	/** True if the connection broke before the response was complete. */
	readonly cut: boolean;
}

/** Posts bytes on a separate connection. A header with an empty list isn't sent. */
export function postBytes(url: string, bytes: string | Buffer, headers: http.OutgoingHttpHeaders): Promise<RawReply> {
	return new Promise((resolve, reject) => {
		const request = http.request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, agent: false });
		request.once('error', reject);
		request.once('response', response => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			const resolveResponse = (cut: boolean) =>
				resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks), cut });
			response.once('end', () => resolveResponse(false));
			response.once('error', () => resolveResponse(true));
		});
		request.end(bytes);
	});
}
