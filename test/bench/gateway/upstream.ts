// The service behind the gateways, in a separate process. For a body with "stream":true it sends `max_tokens` events, one event per write.
// For other bodies it sends a small message. First line of output: {"port": …}.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const message = JSON.stringify({
	id: 'msg_01',
	type: 'message',
	role: 'assistant',
	model: 'bench',
	content: [{ type: 'text', text: 'Hello from the other side. '.repeat(8) }],
	stop_reason: 'end_turn',
	stop_sequence: null,
	usage: { input_tokens: 10, output_tokens: 48 },
});
const completion = JSON.stringify({
	id: 'chatcmpl-1',
	object: 'chat.completion',
	created: 1,
	model: 'bench',
	choices: [{ index: 0, message: { role: 'assistant', content: 'Hello from the other side. '.repeat(8) }, finish_reason: 'stop' }],
	usage: { prompt_tokens: 10, completion_tokens: 48, total_tokens: 58 },
});
const event = Buffer.from(
	`event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' word' } })}\n\n`,
);
const chunk = Buffer.from(
	`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }] })}\n\n`,
);

const server = http.createServer((request, response) => {
	const pieces: Buffer[] = [];
	request.on('data', (piece: Buffer) => pieces.push(piece));
	request.on('end', () => {
		const body = Buffer.concat(pieces).toString();
		const isChat = request.url?.endsWith('/chat/completions') ?? false;
		if (!body.includes('"stream":true')) {
			const reply = isChat ? completion : message;
			response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length }).end(reply);
			return;
		}
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		writeEvents(response, isChat ? chunk : event, Number(/"max_tokens":(\d+)/.exec(body)?.[1] ?? 1), isChat);
	});
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));

function writeEvents(response: http.ServerResponse, bytes: Buffer, count: number, isChat: boolean): void {
	let left = count;
	const writeNextEvent = () => {
		while (left-- > 0) {
			if (!response.write(bytes)) {
				response.once('drain', writeNextEvent);
				return;
			}
		}
		response.end(isChat ? 'data: [DONE]\n\n' : undefined);
	};
	writeNextEvent();
}
