import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { getServerPort, getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';

const chunk = path.resolve(import.meta.dirname, '../../../dist/client.cjs');

/** Program that prints a service's agents, and whether the process-wide dispatchers are set before and after the request. */
const program = `
	const dispatchers = () => [1, 2].map(n => Symbol.for('undici.globalDispatcher.' + n) in globalThis);
	const before = dispatchers();
	const { ServiceClient } = require(${JSON.stringify(chunk)});
	const { BASE, PROXY } = process.env;
	const client = new ServiceClient({ baseUrl: BASE, kind: 'gateway', keys: {}, network: { environment: {}, proxy: PROXY } });
	client.listAgents().then(
		agents => client.close().then(() => console.log(JSON.stringify({ agents, before, after: dispatchers() }))),
		error => console.log(JSON.stringify({ error: error.message })),
	);`;

describe('dist/client.cjs, built without unused parts of undici', () => {
	const service = http.createServer((_request, response) => response.end('{"data":[{"name":"a"}]}'));
	before(async () => {
		await listenOnLoopback(service);
	});
	after(() => {
		service.closeAllConnections();
		service.close();
	});

	async function runProgram(
		env: Record<string, string>,
	): Promise<{ agents: unknown; before: boolean[]; after: boolean[]; error?: string }> {
		const base = getServerUrl(service);
		const options = { env: { PATH: process.env['PATH'], BASE: base, ...env } };
		const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=commonjs', '-e', program], options);
		return JSON.parse(stdout);
	}

	// each of these makes undici choose a parser that the chunk doesn't contain
	for (const env of [{}, { UNDICI_NO_WASM_SIMD: '1' }, { JEST_WORKER_ID: '1' }, { UNDICI_USE_MILO: '1' }]) {
		it(`reads responses with ${Object.keys(env)[0] ?? 'no'} variable set`, async () => {
			assert.deepEqual((await runProgram(env as Record<string, string>)).agents, [{ name: 'a' }]);
		});
	}
	it('leaves the process-wide dispatchers of other extensions unchanged', async () => {
		const { before, after } = await runProgram({});
		assert.deepEqual(after, before);
	});
	it('connects through a SOCKS proxy', async () => {
		let asked = '';
		const proxy = net.createServer(socket => {
			socket.once('data', () => {
				socket.write(Buffer.of(5, 0));
				socket.once('data', request => {
					asked = request.subarray(5, 5 + request[4]!).toString();
					const upstream = net.connect(getServerPort(service), '127.0.0.1', () => {
						socket.write(Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
						socket.pipe(upstream).pipe(socket);
					});
					upstream.on('error', () => socket.destroy());
				});
			});
			socket.on('error', () => {});
		});
		await listenOnLoopback(proxy);
		const { agents, error } = await runProgram({
			BASE: 'http://service.test',
			PROXY: `socks5://127.0.0.1:${getServerPort(proxy)}`,
		});
		proxy.close();
		assert.deepEqual(agents, [{ name: 'a' }], error);
		assert.equal(asked, 'service.test');
	});
});
