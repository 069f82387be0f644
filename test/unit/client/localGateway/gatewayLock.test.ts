import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { GatewayKey } from '#client/localGateway/gatewayKey.ts';
import { findGateway } from '#client/localGateway/gatewayLock.ts';
import { listenOnLoopback } from '../../../support/services/loopback.ts';

describe('the gateway named by a lock', () => {
	let folder: string;
	let server: http.Server;
	let answer: (response: http.ServerResponse) => void;
	beforeEach(async () => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-lock-'));
		server = http.createServer((_request, response) => answer(response));
		await listenOnLoopback(server);
	});
	afterEach(() => {
		server.closeAllConnections();
		server.close();
		fs.rmSync(folder, { recursive: true });
	});

	const writeLock = (fields: object) => {
		const { port } = server.address() as AddressInfo;
		const whole = { pid: process.pid, port, instance: 'this-one', started: '', ...fields };
		fs.writeFileSync(path.join(folder, 'gateway.lock'), JSON.stringify(whole));
	};
	const answerWithInstance = (body: unknown, status = 200) => {
		answer = response => response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
	};

	it('is accepted if the server at its port identifies itself as this instance', async () => {
		writeLock({});
		answerWithInstance({ status: 'ok', instance: 'this-one' });
		assert.equal((await findGateway(folder))?.pid, process.pid);
	});

	it('is rejected if another gateway or program listens there', async () => {
		writeLock({});
		for (const [body, status] of [
			[{ instance: 'another' }, 200],
			[{ instance: 'this-one' }, 401],
			['this-one', 200],
			[{}, 200],
			['x'.repeat(100_000), 200],
		] as const) {
			answerWithInstance(body, status);
			assert.equal(await findGateway(folder), undefined, JSON.stringify(body).slice(0, 60));
		}
		answer = response => response.destroy();
		assert.equal(await findGateway(folder), undefined, 'cut off');
	});

	it('is rejected without an instance, a port or a file', async () => {
		answerWithInstance({ instance: 'this-one' });
		for (const fields of [{ instance: undefined }, { instance: '' }, { port: 0 }, { port: '80' }, { pid: -1 }, { pid: 0 }]) {
			writeLock(fields);
			assert.equal(await findGateway(folder), undefined, JSON.stringify(fields));
		}
		fs.rmSync(path.join(folder, 'gateway.lock'));
		assert.equal(await findGateway(folder), undefined);
	});
});

describe("the built-in gateway's key", () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-key-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it('is the same for all windows that create it at the same time', async () => {
		const data = path.join(folder, 'data');
		const keys = await Promise.all(Array.from({ length: 20 }, () => new GatewayKey(data).get()));
		assert.equal(new Set(keys).size, 1);
		assert.match(keys[0]!, /^awb-[\w-]{43}$/);
		assert.deepEqual(fs.readdirSync(data), ['gateway.key']);
	});

	it('is refused if others can read it, or if the file contains none', async () => {
		const file = path.join(folder, 'gateway.key');
		fs.writeFileSync(file, 'short\n', { mode: 0o600 });
		await assert.rejects(new GatewayKey(folder).get(), { reason: 'gateway-key' });
		if (process.platform !== 'win32') {
			fs.writeFileSync(file, `${'k'.repeat(40)}\n`);
			fs.chmodSync(file, 0o644);
			await assert.rejects(new GatewayKey(folder).get(), { reason: 'gateway-key', message: /can read .*gateway\.key. \(mode 644\)/ });
		}
	});
});
