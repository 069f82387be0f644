import type http from 'node:http';
import { Readable } from 'node:stream';

/** Answers 503 with a body that goes on until the connection is closed. */
export function endlessError(_request: unknown, response: http.ServerResponse): void {
	response.writeHead(503, { 'content-type': 'text/plain' });
	Readable.from(repeat('no end '.repeat(10_000))).pipe(response);
}

function* repeat(text: string): Generator<string> {
	for (;;) {
		yield text;
	}
}
