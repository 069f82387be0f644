// The services for the client table, in a separate process. Replies are created in advance and written in large chunks, so that the reader
// is measured. Each part has a port. First line of output: {"ports": {"text": …}}.
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { contentReply, createContentStream, createMessagesStream, createWorkflowStream, messageReply } from './payloads.ts';

const long = { messages: createMessagesStream(50_000), content: createContentStream(50_000) };
const run = createWorkflowStream(2_000);

/** Responses of each part, by path; some are repeated up to a length. */
const parts: Record<string, Record<string, Buffer>> = {
	text: { '/v1/messages': long.messages, '/v1beta/models/m:streamGenerateContent': long.content },
	first: { '/v1/messages': createMessagesStream(1), '/v1beta/models/m:streamGenerateContent': createContentStream(1) },
	// dify-client uses the second path
	workflow: { '/v1/agent/workflows/run': run, '/v1/workflows/run': run },
	endless: { '/v1/messages': long.messages },
	// no line break
	unending: { '/v1/messages': Buffer.from('data: '.padEnd(65_536, 'x')) },
};
/** Lengths of streams that are repeated. */
const repeated: Readonly<Record<string, number>> = { endless: 2 ** 30, unending: 720_000_000 };
const pieceBytes = 64 * 1024;

const ports: Record<string, number> = {};
for (const [part, answers] of Object.entries(parts)) {
	const server = http.createServer((request, response) => {
		request.resume();
		request.on('end', () => sendBody(answers[new URL(request.url!, 'http://x').pathname], part, response));
	});
	server.keepAliveTimeout = 60_000;
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	ports[part] = (server.address() as AddressInfo).port;
}
const plain = net.createServer(socket => handlePlainRequests(socket));
await new Promise<void>(resolve => plain.listen(0, '127.0.0.1', resolve));
ports['plain'] = (plain.address() as AddressInfo).port;
console.log(JSON.stringify({ ports }));

/**
 * Responds to small JSON requests on a bare socket, because an http.Server isn't faster than the clients and its cost would be measured
 * too. A request is complete when its body has the length given in its header.
 */
function handlePlainRequests(socket: net.Socket): void {
	let waiting = '';
	socket.setNoDelay(true).setEncoding('latin1');
	socket.on('error', () => socket.destroy());
	socket.on('data', (text: string) => {
		waiting += text;
		for (;;) {
			const head = waiting.indexOf('\r\n\r\n');
			const length = /\r\ncontent-length: *(\d+)/i.exec(waiting.slice(0, head));
			const end = head + 4 + Number(length?.[1] ?? 0);
			if (head === -1 || waiting.length < end) {
				return;
			}
			const reply = waiting.startsWith('POST /v1beta/') ? contentReply : messageReply;
			waiting = waiting.slice(end);
			socket.write(
				`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\nconnection: keep-alive\r\n\r\n${reply}`,
			);
		}
	});
}

function sendBody(body: Buffer | undefined, part: string, response: http.ServerResponse): void {
	if (body === undefined) {
		response.writeHead(404).end();
	} else {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		writeStream(body, response, repeated[part] ?? body.length);
	}
}

/** Writes `total` bytes, repeating a shorter stream; waits for a slow reader. */
function writeStream(stream: Buffer, response: http.ServerResponse, total: number): void {
	let written = 0;
	const writeNextChunk = () => {
		while (written < total && !response.destroyed) {
			const at = written % stream.length;
			const piece = stream.subarray(at, Math.min(at + pieceBytes, stream.length, at + total - written));
			written += piece.length;
			if (!response.write(piece)) {
				response.once('drain', writeNextChunk);
				return;
			}
		}
		response.end();
	};
	writeNextChunk();
}
