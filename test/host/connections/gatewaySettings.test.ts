import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import * as vscode from 'vscode';
import { readGatewaySetup } from '#editor/connections/gateway/gatewaySetup.ts';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { runInUntrustedWorkspace } from '../../support/editor/untrusted.ts';
import { closeServers, getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';

const secret = 'sk-upstream-marker-0123456789';

describe('settings of the built-in gateway', () => {
	let window: ConnectionsUnderTest;
	let upstream: Upstream;
	let other: Upstream;
	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		upstream = await Upstream.start();
		other = await Upstream.start();
		await setRoutes([{ model: 'far-*', provider: 'anthropic', base_url: upstream.url, key: 'FAR' }]);
	});
	afterEach(async () => {
		await setRoutes(undefined);
		await window.dispose();
		await upstream.stop();
		await other.stop();
	});

	it("route a model to its upstream with the upstream's key", async () => {
		await window.upstreamKeys.set(readGatewaySetup().keys[0]!, secret);
		assert.equal(await sendHello(window), 'hello from far away');
		assert.deepEqual(upstream.keys, [secret]);
		for (const file of fs.readdirSync(window.dataFolder).filter(name => fs.statSync(path.join(window.dataFolder, name)).isFile())) {
			assert.ok(!fs.readFileSync(path.join(window.dataFolder, file)).includes(secret), `in ${file}`);
		}
		assert.ok(!window.log.lines.some(line => line.includes(secret)), 'in the log');
	});

	it('take effect when the gateway restarts', async () => {
		await setRoutes([]);
		assert.match(await sendHello(window), /offline model/);
		await setRoutes([{ model: 'far-*', provider: 'anthropic', base_url: upstream.url, key: 'FAR' }]);
		await window.upstreamKeys.set(readGatewaySetup().keys[0]!, secret);
		const before = window.readGatewayPid();
		await window.gateway.restartGateway();
		assert.notEqual(window.readGatewayPid(), before);
		assert.equal(await sendHello(window), 'hello from far away');
	});

	it('allow document folders inside the workspace once it is trusted', async () => {
		const settings = vscode.workspace.getConfiguration('agentWorkbench.gateway');
		const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
		const readDatasets = () => readGatewaySetup().config['knowledge'];
		const planted = { handbook: { folder: 'handbook' }, secrets: { folder: path.resolve('/etc') } };
		await settings.update('knowledge', planted, vscode.ConfigurationTarget.Workspace);
		try {
			assert.deepEqual(readDatasets(), { handbook: { folder: path.join(folder, 'handbook') } });
			assert.deepEqual(await runInUntrustedWorkspace(async () => readDatasets()), {});
		} finally {
			await settings.update('knowledge', undefined, vscode.ConfigurationTarget.Workspace);
		}
	});

	it("don't send a key to an address other than the one it was set for", async () => {
		await window.upstreamKeys.set(readGatewaySetup().keys[0]!, secret);
		await setRoutes([{ model: 'far-*', provider: 'anthropic', base_url: other.url, key: 'FAR' }]);
		await assert.rejects(sendHello(window), { name: 'ServiceError' });
		assert.deepEqual(other.keys, []);
		assert.ok(window.log.lines.some(line => line.includes("The key 'FAR' for") && line.includes("isn't set")));
	});

	it("include the editor's proxy, whose password no file of the gateway contains", async () => {
		const http = vscode.workspace.getConfiguration('http');
		await http.update('proxy', upstream.url.replace('//', '//me:sesame-open@'), vscode.ConfigurationTarget.Global);
		try {
			await setRoutes([{ model: 'far-*', provider: 'anthropic', base_url: 'http://service.test' }]);
			assert.equal(await sendHello(window), 'hello from far away');
		} finally {
			await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
		}
		for (const file of fs.readdirSync(window.dataFolder).filter(name => fs.statSync(path.join(window.dataFolder, name)).isFile())) {
			assert.ok(!fs.readFileSync(path.join(window.dataFolder, file)).includes('sesame'), `in ${file}`);
		}
	});

	it('are quoted with their position if the gateway rejects them', async () => {
		await setRoutes([{ model: 'far-*', provider: 'telepathy' }]);
		await assert.rejects(window.gateway.getEndpoint(), { reason: 'gateway-start', message: /routes\.0\.provider/ });
	});
});

async function setRoutes(routes: unknown): Promise<void> {
	await vscode.workspace.getConfiguration('agentWorkbench').update('gateway.routes', routes, vscode.ConfigurationTarget.Global);
}

async function sendHello(window: ConnectionsUnderTest): Promise<string> {
	const client = await window.registry.getClient('built-in');
	const reply = await client.createMessage({ model: 'far-model', max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] });
	return String(reply.content[0]?.['text']);
}

/** A service that accepts messages and records the keys it received. */
class Upstream {
	readonly keys: (string | undefined)[] = [];
	readonly #server = http.createServer((request, response) => {
		this.keys.push(request.headers['x-api-key'] as string | undefined);
		request.resume();
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({
				id: 'msg_1',
				type: 'message',
				role: 'assistant',
				model: 'far-model',
				content: [{ type: 'text', text: 'hello from far away' }],
				stop_reason: 'end_turn',
				stop_sequence: null,
				usage: { input_tokens: 1, output_tokens: 4 },
			}),
		);
	});

	static async start(): Promise<Upstream> {
		const upstream = new Upstream();
		await listenOnLoopback(upstream.#server);
		return upstream;
	}

	get url(): string {
		return getServerUrl(this.#server);
	}

	async stop(): Promise<void> {
		await closeServers(this.#server);
	}
}
