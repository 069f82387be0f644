import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { createHttpAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { getServerPort, listenOnLoopback } from '../support/services/loopback.ts';

const keys = { header: 'k-header-1a2b3c4d', secret: 't-secret-5e6f7a8b' };

describe('http-request nodes', () => {
	let gateway: GatewayProcess;
	/** Requests received by the service, and by the target of its redirects. */
	let asked: http.IncomingMessage[] = [];
	const service = http.createServer((request, response) => {
		asked.push(request);
		const { pathname } = new URL(request.url ?? '', 'http://x');
		if (pathname.startsWith('/redirect')) {
			response.writeHead(Number(pathname.split('/')[2]), { location: `http://localhost:${getServerPort(service)}/taken` }).end();
		} else if (pathname.startsWith('/loop')) {
			response.writeHead(302, { location: pathname }).end();
		} else if (pathname === '/binary') {
			response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(3_000_000, 7));
		} else {
			response.setHeader('content-type', 'text/plain').end('ok');
		}
	});
	const raw = net.createServer(socket => {
		socket.on('error', () => {});
		socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
	});

	before(async () => {
		await listenOnLoopback(service, raw);
		const base = `127.0.0.1:${getServerPort(service)}`;
		const authorization = { type: 'api-key', config: { type: 'custom', header: 'X-Mine', api_key: keys.header } };
		const bearer = { type: 'api-key', config: { type: 'bearer', api_key: '{{#env.TOKEN#}}' } };
		gateway = await startGateway({
			config: { engine: { allow_private_network: true } },
			agents: {
				custom: createRequestAgent({
					url: `http://${base}/redirect/{{#start.value#}}`,
					headers: 'X-Plain: {{#env.TOKEN#}}',
					authorization,
				}),
				bearer: createRequestAgent({ url: `http://${base}/a/{{#env.TOKEN#}}?k={{#env.TOKEN#}}`, authorization: bearer }),
				inject: createRequestAgent({ url: `http://${base}/a`, params: 'q: {{#start.value#}}' }),
				header: createRequestAgent({ url: `http://${base}/a`, headers: 'X-A: {{#start.value#}}' }),
				loop: createRequestAgent({ url: `http://${base}/loop` }),
				binary: createRequestAgent({ url: `http://${base}/binary` }),
				switching: createRequestAgent({ url: `http://127.0.0.1:${getServerPort(raw)}/` }),
			},
		});
	});
	beforeEach(() => {
		asked = [];
	});
	after(async () => {
		for (const server of [service, raw]) {
			server.close();
		}
		service.closeAllConnections();
		await cleanUpGateways();
	});

	/** Runs a draft. Returns all of its events and the data of its end. */
	async function runDraft(model: string, value = '', inputs: object = {}) {
		const stream = await gateway.openStream('/v1/agent/workflows/draft/run', {
			model,
			inputs: { value, ...inputs },
			user: 'ana',
			response_mode: 'streaming',
		});
		const events = await stream.readRemainingEvents();
		return { text: stream.getReceivedText(), data: events.at(-1)?.data };
	}

	it('send no key in any header to another origin', async () => {
		for (const status of ['301', '302', '303', '307', '308']) {
			assert.equal((await runDraft('custom', status)).data.status, 'succeeded');
			const [first, second] = asked.splice(0);
			assert.deepEqual([first?.headers['x-mine'], first?.headers['x-plain']], [keys.header, keys.secret]);
			assert.equal(second?.url, '/taken');
			assert.deepEqual([second?.headers['x-mine'], second?.headers['x-plain']], [undefined, undefined]);
		}
	});
	it('leave no key in events, responses, the log, or any file of the store including its write-ahead log', async () => {
		const { data } = await runDraft('bearer');
		assert.equal(data.status, 'succeeded');
		assert.equal(asked[0]?.headers.authorization, `Bearer ${keys.secret}`);
		const texts = [(await runDraft('custom', '307')).text, (await runDraft('bearer')).text, gateway.getLog()];
		for (const file of fs.readdirSync(gateway.data, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())) {
			texts.push(fs.readFileSync(path.join(file.parentPath, file.name), 'latin1'));
		}
		for (const secret of [keys.header, keys.secret]) {
			assert.deepEqual(
				texts.flatMap((text, i) =>
					text.includes(secret) ? [`${i}: ${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 60)}`] : [],
				),
				[],
			);
		}
	});
	it('let no value of a caller add a parameter or a header', async () => {
		await runDraft('inject', 'a\nadmin: 1\r\nb: 2');
		assert.deepEqual([...new URL(asked[0]?.url ?? '', 'http://x').searchParams.keys()], ['q']);
		asked = [];
		const { data } = await runDraft('header', 'a\r\nX-Admin: 1');
		assert.equal(data.status, 'failed');
		assert.match(data.error, /Couldn't send the header 'X-A'/);
		assert.equal(asked.length, 0);
	});
	it('fail on a redirect loop, or a redirect to another protocol', async () => {
		assert.match((await runDraft('loop')).data.error, /redirected more than 5 times/);
		assert.match((await runDraft('switching')).data.error, /status 101/);
	});
	it('store a binary response once, and serve it', async () => {
		const countStoredFiles = () =>
			fs
				.readdirSync(gateway.data, { recursive: true, withFileTypes: true })
				.filter(entry => entry.isFile())
				.reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0);
		const before = countStoredFiles();
		const { data } = await runDraft('binary');
		const [file] = data.outputs.files;
		assert.ok(countStoredFiles() - before < 3_500_000, `${countStoredFiles() - before} bytes`);
		const response = await fetch(gateway.baseUrl + file.url, { headers: { authorization: `Bearer ${gateway.apiKey}` } });
		assert.equal(response.headers.get('content-type'), 'image/png');
		assert.equal((await response.arrayBuffer()).byteLength, 3_000_000);
		assert.equal((await gateway.send('GET', '/v1/agent/files/none/preview')).status, 404);
		assert.equal((await fetch(gateway.baseUrl + file.url)).status, 401);
	});
	it("don't run with a file that wasn't uploaded", async () => {
		const file = { type: 'document', transfer_method: 'local_file', upload_file_id: '0d9a1f3c-0000-4000-8000-000000000000' };
		const refused = await gateway.send('POST', '/v1/agent/workflows/draft/run', {
			model: 'inject',
			inputs: { file },
			user: 'ana',
			response_mode: 'blocking',
		});
		assert.deepEqual([refused.status, refused.json.params], [400, 'file']);
		assert.match(refused.json.message, /isn't the ID of an uploaded file/);
	});
});

function createRequestAgent(settings: object): string {
	const variables = [
		{ variable: 'value', label: 'Value', type: 'paragraph', required: false },
		{ variable: 'file', label: 'File', type: 'file', required: false },
	];
	const environment = [{ id: 'e', name: 'TOKEN', value_type: 'secret', value: keys.secret }];
	return createHttpAgent(settings, { variables, environment_variables: environment }, ['body', 'files']);
}
