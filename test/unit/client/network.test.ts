import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { ServiceClient } from '#client/client.ts';
import type { NetworkOptions } from '#client/networkOptions.ts';
import { findProxy } from '#network/proxies.ts';
import { getServerPort, listenOnLoopback } from '../../support/services/loopback.ts';
import { testCertificate } from './testCertificate.ts';

const environment = { HTTP_PROXY: 'http://env:1', https_proxy: 'http://envs:2', NO_PROXY: 'skip.example, .inner.example' };

describe('the connection to the service', () => {
	const choices: [string, string, NetworkOptions, string | undefined][] = [
		['no proxy anywhere', 'http://a.example', { environment: {} }, undefined],
		['the environment', 'http://a.example', { environment }, 'http://env:1/'],
		['the environment, TLS', 'https://a.example', { environment }, 'http://envs:2/'],
		['ALL_PROXY', 'https://a.example', { environment: { all_proxy: 'socks5://s:3' } }, 'socks5://s:3'],
		['the setting over the environment', 'http://a.example', { environment, proxy: 'http://set:4' }, 'http://set:4/'],
		['a setting without its scheme', 'http://a.example', { environment: {}, proxy: 'set:4' }, 'http://set:4/'],
		['NO_PROXY', 'http://skip.example', { environment }, undefined],
		['NO_PROXY, a name below', 'http://x.skip.example', { environment }, undefined],
		['NO_PROXY, a suffix', 'http://x.inner.example', { environment }, undefined],
		['NO_PROXY, another name that ends alike', 'http://noskip.example', { environment }, 'http://env:1/'],
		['noProxy over NO_PROXY', 'http://skip.example', { environment, noProxy: ['other.example'] }, 'http://env:1/'],
		['noProxy with a port', 'http://a.example:8080', { environment, noProxy: ['a.example:8080'] }, undefined],
		['noProxy with another port', 'http://a.example', { environment, noProxy: ['a.example:8080'] }, 'http://env:1/'],
		['noProxy of an address range', 'http://10.1.2.3', { environment, noProxy: ['10.0.0.0/8'] }, undefined],
		['noProxy of all', 'http://a.example', { environment, noProxy: ['*'] }, undefined],
		['localhost', 'http://localhost:3000', { environment, proxy: 'http://set:4' }, undefined],
		['127.0.0.1', 'http://127.0.0.1:3000', { environment, proxy: 'http://set:4' }, undefined],
		['[::1]', 'http://[::1]:3000', { environment, proxy: 'http://set:4' }, undefined],
		['a name below localhost', 'http://x.localhost', { environment, proxy: 'http://set:4' }, undefined],
	];
	for (const [name, origin, options, proxy] of choices) {
		it(`${name}: ${proxy ?? 'direct'}`, () => assert.equal(findProxy(new URL(origin), options)?.href, proxy));
	}

	describe('through a proxy, with certificates', () => {
		let seen: string[];
		const service = https.createServer(testCertificate, (_request, response) => response.end('{"data":[]}'));
		const plain = http.createServer((_request, response) => response.end('{"data":[]}'));
		const proxy = http.createServer((request, response) => {
			seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
			request.pipe(
				http.request({ port: getServerPort(plain), method: request.method!, path: new URL(request.url!).pathname }, answer => {
					response.writeHead(answer.statusCode!);
					answer.pipe(response);
				}),
			);
		});
		proxy.on('connect', (request, socket: net.Socket) => {
			seen.push(`CONNECT ${request.url} ${request.headers['proxy-authorization']}`);
			const upstream = net.connect(getServerPort(service), '127.0.0.1', () => {
				socket.write('HTTP/1.1 200 OK\r\n\r\n');
				socket.pipe(upstream).pipe(socket);
			});
			upstream.on('error', () => socket.destroy());
			socket.on('error', () => upstream.destroy());
		});
		const servers = [service, plain, proxy];
		before(async () => {
			await listenOnLoopback(...servers);
		});
		beforeEach(() => {
			seen = [];
		});
		after(() => {
			for (const server of servers) {
				server.closeAllConnections();
				server.close();
			}
		});

		async function listAgentsWithNetwork(baseUrl: string, network: NetworkOptions): Promise<unknown> {
			const client = new ServiceClient({ baseUrl, kind: 'gateway', keys: { agent: 'k-agent' }, network: { environment: {}, ...network } });
			try {
				return await client.listAgents();
			} finally {
				await client.close();
			}
		}
		const login = `Basic ${Buffer.from('user:p w').toString('base64')}`;
		const buildUrlWithLogin = () => `http://user:p%20w@127.0.0.1:${getServerPort(proxy)}`;

		it('sends requests for addresses without TLS to a proxy', async () => {
			await listAgentsWithNetwork('http://service.test', { proxy: buildUrlWithLogin() });
			assert.deepEqual(seen, [`GET http://service.test/v1/agent/agents ${login}`]);
		});
		it('uses a tunnel for addresses with TLS', async () => {
			await listAgentsWithNetwork('https://service.test', { proxy: buildUrlWithLogin(), strictSSL: false });
			assert.deepEqual(seen, [`CONNECT service.test:443 ${login}`]);
		});
		it('rejects an untrusted certificate, and accepts it if the setting allows it', async () => {
			const baseUrl = `https://localhost:${getServerPort(service)}`;
			await assert.rejects(listAgentsWithNetwork(baseUrl, {}), {
				reason: 'tls',
				code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
				message: `The service's certificate isn't trusted (${baseUrl}, DEPTH_ZERO_SELF_SIGNED_CERT). Install the certificate of its issuer on this machine, or set NODE_EXTRA_CA_CERTS.`,
			});
			assert.deepEqual(await listAgentsWithNetwork(baseUrl, { strictSSL: false }), []);
		});
		it('names an unreachable proxy, without its password', async () => {
			await assert.rejects(
				listAgentsWithNetwork('http://service.test', { proxy: 'http://user:sesame-open@127.0.0.1:1' }),
				(error: Error & { reason: string }) => {
					assert.equal(error.reason, 'network');
					assert.doesNotMatch(`${error.stack} ${error.cause}`, /sesame/);
					return true;
				},
			);
		});
		it("reports that a proxy isn't a valid URL, without showing it", async () => {
			for (const proxy of ['http://user:sesame-open@', 'ftp://user:sesame-open@host']) {
				await assert.rejects(
					listAgentsWithNetwork('http://service.test', { proxy }),
					(error: Error & { reason: string; field: string }) => {
						assert.deepEqual([error.reason, error.field], ['invalid-request', 'proxy']);
						assert.doesNotMatch(String(error.stack), /sesame/);
						return true;
					},
				);
			}
		});
		it('never uses a proxy for this machine', async () => {
			await listAgentsWithNetwork(`http://127.0.0.1:${getServerPort(plain)}`, { proxy: 'http://127.0.0.1:1' });
			assert.deepEqual(seen, []);
		});
	});
});
