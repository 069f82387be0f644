import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { PlayedService } from '../../support/services/playedService.ts';

const secret = 'sk-very-secret-0123456789';

describe('a key', () => {
	let window: ConnectionsUnderTest;
	let service: PlayedService;
	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		service = new PlayedService();
		await service.start();
	});
	afterEach(async () => {
		await window.dispose();
		await service.stop();
	});

	it('is bound to its origin: a changed base URL has no key, and nothing is sent', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		await window.registry.listAgents(entry.id);
		assert.deepEqual(service.credentials, [secret]);
		const elsewhere = new PlayedService();
		await elsewhere.start();
		await window.settings.saveEntry({ ...entry, baseUrl: elsewhere.url });
		await assert.rejects(window.registry.listAgents(entry.id), { reason: 'key-missing', message: "The key for 'Played' is missing." });
		assert.deepEqual(elsewhere.requests, []);
		await elsewhere.stop();
	});

	it('stays valid for another path of the same origin', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		await window.settings.saveEntry({ ...entry, baseUrl: `${service.url}/behind/a/path` });
		assert.deepEqual(await window.keys.get({ id: entry.id, baseUrl: `${service.url}/behind/a/path` }), {
			agent: secret,
			messages: secret,
			content: secret,
		});
	});

	it('is kept until the window closes if the keyring fails', async () => {
		window.secrets.broken = true;
		const entry = await window.addConnection({ baseUrl: service.url });
		assert.deepEqual(await window.keys.set(entry, { agent: secret }), { kind: 'session', cause: 'no keyring here' });
		await window.registry.listAgents(entry.id);
		assert.deepEqual(service.credentials, [secret]);
		const next = new ConnectionsUnderTest(window);
		assert.deepEqual(await next.keys.get(entry), {});
		await next.dispose();
	});

	it('is deleted for every origin that had it', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		await window.keys.set({ ...entry, baseUrl: 'https://old.example.com' }, { agent: secret });
		await window.keys.set({ id: 'played-2', baseUrl: service.url }, { agent: 'other' });
		await window.keys.removeKeys(entry.id);
		assert.deepEqual(await window.secrets.keys(), [`key played-2 ${service.url}`]);
	});

	it('appears in no setting, log, state or error', async () => {
		const entry = await window.addConnection({ baseUrl: service.url }, secret);
		service.key = 'another';
		const error = await window.registry.listAgents(entry.id).catch((thrown: unknown) => thrown);
		assert.match(String(error), /refused the key \(401\)/);
		const seen = [JSON.stringify(error), String((error as Error).stack), String((error as Error).cause), ...window.log.lines];
		assert.ok(window.log.lines.some(line => /GET \/v1\/agent\/agents 401/.test(line)));
		assert.ok(!seen.some(text => text.includes(secret)));
		assert.ok(!JSON.stringify(vscode.workspace.getConfiguration('agentWorkbench')).includes(secret));
	});
});

describe('a workspace with hostile settings', () => {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
	const file = path.join(folder, '.vscode', 'settings.json');
	let window: ConnectionsUnderTest;
	let evil: PlayedService;
	let good: PlayedService;

	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		[evil, good] = [new PlayedService(), new PlayedService()];
		await Promise.all([evil.start(), good.start()]);
	});
	afterEach(async () => {
		const gone = waitForSettingsChange('http.proxyStrictSSL');
		fs.rmSync(file, { force: true });
		await gone;
		await window.dispose();
		await Promise.all([evil.stop(), good.stop()]);
	});

	it("can't redirect a key with a connection or a proxy", async () => {
		const entry = await window.addConnection({ baseUrl: good.url }, secret);
		const redirected = [
			{ ...entry, baseUrl: evil.url },
			{ id: 'planted', name: 'Planted', kind: 'gateway', baseUrl: evil.url },
		];
		const seen = waitForSettingsChange('http.proxyStrictSSL');
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(
			file,
			JSON.stringify({
				'agentWorkbench.connections': redirected,
				'http.proxy': evil.url,
				'http.noProxy': [],
				'http.proxyStrictSSL': false,
			}),
		);
		await seen;
		assert.deepEqual(
			window.registry.list().map(({ id, baseUrl }) => [id, baseUrl]),
			[
				['built-in', undefined],
				['played', good.url],
			],
		);
		await window.registry.listAgents(entry.id);
		assert.deepEqual(good.credentials, [secret]);
		assert.deepEqual(evil.requests, []);
	});
});

/** Resolves when the editor has applied a change of this setting. */
function waitForSettingsChange(name: string): Promise<void> {
	return new Promise(resolve => {
		const listener = vscode.workspace.onDidChangeConfiguration(event => {
			if (event.affectsConfiguration(name)) {
				listener.dispose();
				resolve();
			}
		});
	});
}
