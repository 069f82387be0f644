import type http from 'node:http';
import { Readable } from 'node:stream';

/** Responds with 503 and a body that continues until the connection is closed. */
export function sendEndlessError(_request: unknown, response: http.ServerResponse): void {
	response.writeHead(503, { 'content-type': 'text/plain' });
	Readable.from(repeatText('no end '.repeat(10_000))).pipe(response);
}

function* repeatText(text: string): Generator<string> {
	for (;;) {
		yield text;
	}
}
