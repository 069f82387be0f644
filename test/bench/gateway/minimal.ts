// The floor: a minimal passthrough with undici's dispatch straight to the response. Argument: the upstream's port. First line of output:
// {"port": …}.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Agent from 'undici/lib/dispatcher/agent.js';

const origin = `http://127.0.0.1:${process.argv[2]}`;
const agent = new Agent();
const server = http.createServer((request, response) => {
	const pieces: Buffer[] = [];
	request.on('data', (piece: Buffer) => pieces.push(piece));
	request.on('end', () => {
		const { host: _host, connection: _connection, 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = request.headers;
		agent.dispatch(
			{ origin, path: request.url ?? '/', method: 'POST', headers, body: Buffer.concat(pieces) },
			{
				onRequestStart() {},
				onResponseStart(_controller, status, { connection: _c, 'transfer-encoding': _t, 'keep-alive': _k, ...kept }) {
					response.writeHead(status, kept);
				},
				onResponseData(controller, piece) {
					response.write(piece);
					if (response.writableNeedDrain) {
						controller.pause();
						response.once('drain', () => controller.resume());
					}
				},
				onResponseEnd() {
					response.end();
				},
				onResponseError() {
					response.destroy();
				},
			},
		);
	});
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
