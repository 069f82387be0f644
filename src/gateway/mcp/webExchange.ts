import type { Exchange } from '../server/exchange.ts';
import { PacedOutput } from '../server/pacedOutput.ts';

/** Matches headers of the protocol. Other headers, including the key, aren't passed to the server. */
const known = /^(?:accept|content-type|last-event-id|mcp-.+)$/;

/**
 * Converts an exchange to a web request without its body, which is read separately. The request's signal aborts when the client
 * disconnects.
 */
export function toWebRequest({ request, signal }: Exchange): Request {
	const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
		known.test(name) ? values.map((value): [string, string] => [name, value]) : [],
	);
	return new Request(new URL(request.url ?? '/', 'http://gateway'), { method: request.method ?? 'GET', headers, signal });
}

/** Sends a web response and streams its body. Resolves once everything is sent or the client has disconnected. */
export async function sendResponse(exchange: Exchange, answer: Response): Promise<void> {
	const { response, signal } = exchange;
	const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'connection'));
	response.writeHead(answer.status, { 'request-id': exchange.id, ...headers });
	if (!answer.body) {
		response.end();
		return;
	}
	response.flushHeaders();
	const reader = answer.body.getReader();
	// notify the writer of the body that the client is gone
	signal.addEventListener('abort', () => void reader.cancel().catch(() => {}));
	const output = new PacedOutput(response);
	const decoder = new TextDecoder();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) {
			break;
		}
		output.send(decoder.decode(value, { stream: true }));
	}
	output.endOutput();
}
