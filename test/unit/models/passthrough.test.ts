import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { passReplyThrough } from '#models/passthrough.ts';
import { openAiProtocol } from '#models/protocols.ts';
import { Upstreams } from '#models/upstreams.ts';
import { getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';

const key = 'sk-upstream-0123456789';

describe('a reply that is passed through', () => {
	const upstreams = new Upstreams();
	let reply: (response: http.ServerResponse) => void;
	const service = http.createServer((_request, response) => reply(response));
	const gateway = http.createServer((_request, response) => {
		const request = { origin: getServerUrl(service), path: '/', method: 'GET', headers: {}, body: null, key } as const;
		void passReplyThrough(upstreams, request, response, openAiProtocol);
	});
	before(() => Promise.all([listenOnLoopback(service), listenOnLoopback(gateway)]));
	after(async () => {
		await upstreams.close();
		service.close();
		gateway.close();
	});

	it('has the right length if its key is masked after its first bytes were sent', async () => {
		const error = JSON.stringify({ error: { message: `Invalid key ${key}` } });
		let finish = () => {};
		reply = response => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-length': error.length + 1 });
			response.write('\n');
			finish = () => response.end(error);
		};
		const [response] = (await once(http.get(getServerUrl(gateway), { agent: false }), 'response')) as [http.IncomingMessage];
		finish();
		assert.equal(await text(response), '\n{"error":{"message":"Invalid key [key]"}}');
	});
});
