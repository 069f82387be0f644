import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import { getServerPort, listenOnLoopback } from '../../support/services/loopback.ts';
import { testCertificate } from '../../unit/client/testCertificate.ts';
import { createHttpAgent } from './agents.ts';
import { cleanUpGateways, createTemporaryFolder, runGateway, startGateway } from './gatewayProcess.ts';

const reply = JSON.stringify({ id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'from afar' }], usage: {} });
const message = { model: 'far', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] };

describe('outgoing connections of the gateway', () => {
	const asked: string[] = [];
	const handleRequest: http.RequestListener = (request, response) => {
		asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
		response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
	};
	const proxy = http.createServer(handleRequest);
	const secure = https.createServer(testCertificate, handleRequest);
	before(async () => {
		await listenOnLoopback(proxy, secure);
	});
	beforeEach(() => {
		asked.length = 0;
	});
	after(async () => {
		for (const server of [proxy, secure]) {
			server.closeAllConnections();
			server.close();
		}
		await cleanUpGateways();
	});

	async function requestThroughGateway(network: object, base_url: string) {
		const gateway = await startGateway({ config: { network, routes: [{ model: 'far', provider: 'anthropic', base_url }] } });
		const headers = { 'x-api-key': gateway.apiKey, 'provider-version': '2023-06-01' };
		const answered = await gateway.send('POST', '/v1/messages', message, headers);
		return { ...answered, log: gateway.getLog() };
	}

	it('reach upstreams through the configured proxy without exposing its password', async () => {
		const { json, log } = await requestThroughGateway(
			{ proxy: `http://me:sesame-open@127.0.0.1:${getServerPort(proxy)}` },
			'http://service.test',
		);
		assert.equal(json.content[0].text, 'from afar');
		assert.deepEqual(asked, [`http://service.test/v1/messages Basic ${btoa('me:sesame-open')}`]);
		assert.doesNotMatch(log, /sesame/);
	});
	it('use the proxy for nodes too, except for excluded hosts', async () => {
		const config = { network: { proxy: `http://127.0.0.1:${getServerPort(proxy)}`, no_proxy: ['.invalid'] } };
		const gateway = await startGateway({
			config,
			agents: { near: createHttpAgent({ url: 'http://host.invalid/' }), far: createHttpAgent({ url: 'http://service.test/x' }) },
		});
		const run = (model: string) =>
			gateway.send('POST', '/v1/agent/workflows/draft/run', { model, inputs: {}, user: 'ana', response_mode: 'blocking' });
		assert.equal((await run('far')).json.data.outputs.body, reply);
		assert.match((await run('near')).json.data.error, /ENOTFOUND|EAI_AGAIN/);
		assert.deepEqual(asked, ['http://service.test/x']);
	});
	it('check certificates unless that is disabled', async () => {
		const base = `https://localhost:${getServerPort(secure)}`;
		const refused = await requestThroughGateway({}, base);
		assert.equal(refused.status, 502);
		assert.match(refused.json.error.message, /certificate isn't trusted/);
		assert.equal((await requestThroughGateway({ strict_ssl: false }, base)).json.content[0].text, 'from afar');
	});
	it("read the proxy from stdin and don't show an invalid one", async () => {
		const { code, stderr } = await runGateway(
			['--data', createTemporaryFolder(), '--stdin-keys'],
			`${JSON.stringify({ proxy: 'ftp://me:sesame-open@host' })}\n`,
		);
		assert.deepEqual([code, stderr.trim()], [2, 'stdin:1: proxy: expected an http://, https:// or socks5:// URL.']);
	});
});
