// A service with the Messages endpoint whose reply has 20,000 tokens at 2,000 tokens a second. Its first line of output contains its
// address.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReplyTokens, tokensPerSecond } from './reply.ts';

const everyMs = 5;

const server = http.createServer((request, response) => {
	request.resume();
	if (request.method === 'GET') {
		response.end(JSON.stringify({ data: [{ type: 'model', id: 'bench', display_name: 'bench' }], has_more: false }));
		return;
	}
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const formatEvent = (value: { type: string; [field: string]: unknown }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
	const message = { id: 'msg', type: 'message', role: 'assistant', model: 'bench', content: [], stop_reason: null, usage: {} };
	response.write(
		formatEvent({ type: 'message_start', message }) +
			formatEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
	);
	const tokens = createReplyTokens();
	const started = performance.now();
	let sent = 0;
	const timer = setInterval(() => {
		const due = Math.min(tokens.length, Math.floor(((performance.now() - started) / 1000) * tokensPerSecond));
		let data = '';
		for (; sent < due; sent++) {
			data += formatEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: tokens[sent] } });
		}
		response.write(data);
		if (sent === tokens.length) {
			clearInterval(timer);
			response.end(
				formatEvent({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: sent } }) +
					formatEvent({ type: 'message_stop' }),
			);
		}
	}, everyMs);
	response.on('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
