import type { Exchange } from '../server/exchange.ts';
import { PacedOutput } from '../server/pacedOutput.ts';

/** Headers that the protocol knows; others, the key among them, are nobody's business behind the server. */
const known = /^(?:accept|content-type|last-event-id|mcp-.+)$/;

/** An exchange as a request of the web: without its body, which is read apart. Its signal says when the client has gone. */
export function requestOf({ request, signal }: Exchange): Request {
	const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
		known.test(name) ? values.map((value): [string, string] => [name, value]) : [],
	);
	return new Request(new URL(request.url ?? '/', 'http://gateway'), { method: request.method ?? 'GET', headers, signal });
}

/** Sends a response of the web: its body as it comes. Resolves when all is sent, or the client has gone. */
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
	// whoever writes it hears that nobody reads it any more
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
	output.end();
}
