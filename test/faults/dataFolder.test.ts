import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createGreetingAgent, createWaitingAgent } from '../contract/gateway/agents.ts';
import {
	cleanUpGateways,
	createTemporaryFolder,
	type GatewayProcess,
	runGateway,
	startGateway,
} from '../contract/gateway/gatewayProcess.ts';
import { chooseSize } from './support/long.ts';

const createRunRequest = (model: string, mode: 'streaming' | 'blocking') => ({
	model,
	inputs: { name: 'Ana' },
	user: 'ana',
	response_mode: mode,
});

/** Waits until the gateway's log matches. */
async function waitForLog(gateway: GatewayProcess, what: RegExp): Promise<void> {
	while (!what.test(gateway.getLog())) {
		await new Promise(resolve => setTimeout(resolve, 20));
	}
}

// Windows doesn't allow removing an open file
(process.platform === 'win32' ? describe.skip : describe)('a data folder that is removed during operation', () => {
	afterEach(cleanUpGateways);

	it('is noticed within a second: storing is refused with a one-line message, and no run is reported as succeeded', async () => {
		const gateway = await startGateway({ agents: { greeter: createGreetingAgent(), waiter: createWaitingAgent(60, 40) } });
		const runGreeter = () => gateway.send('POST', '/v1/agent/workflows/run', createRunRequest('greeter', 'blocking'));
		assert.equal((await runGreeter()).status, 200);
		const stream = await gateway.openStream('/v1/agent/workflows/run', createRunRequest('waiter', 'streaming'));
		await stream.waitForEvent('workflow_started');
		const removed = performance.now();
		// the gateway still writes into it
		fs.rmSync(gateway.data, { recursive: true, maxRetries: 5 });
		await waitForLog(gateway, /"reason":"folder-gone"/);
		assert.ok(performance.now() - removed < chooseSize(30_000, 2_000));
		const refused = await runGreeter();
		assert.equal(refused.status, 503);
		assert.match(refused.json.message, /data folder was removed or replaced .*\. Restart the gateway\.$/);
		assert.equal((await stream.readRemainingEvents()).at(-1)?.event, 'error');
		assert.equal((await fetch(`${gateway.baseUrl}/healthz`)).status, 200);
		assert.equal(await gateway.endProcess(), 0, gateway.getLog());
	});

	it("reports no run as succeeded after the removal, even if only the store's write-ahead log was removed", async () => {
		for (const removed of ['.', 'gateway.db-wal']) {
			const gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
			const runGreeter = () => gateway.send('POST', '/v1/agent/workflows/run', createRunRequest('greeter', 'blocking'));
			assert.equal((await runGreeter()).status, 200);
			fs.rmSync(path.join(gateway.data, removed), { recursive: true, maxRetries: 5 });
			const refused = await runGreeter();
			assert.equal(refused.status, 503, refused.text);
			assert.match(refused.json.message, /data folder was removed or replaced/);
			await waitForLog(gateway, /"reason":"folder-gone"/);
			const health = (await (await fetch(`${gateway.baseUrl}/healthz`)).json()) as Record<string, unknown>;
			assert.deepEqual([health['status'], health['problem']], ['ok', 'folder-gone']);
		}
	});

	it('is served again after it was moved away and back', async () => {
		const gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
		const away = path.join(createTemporaryFolder(), 'away');
		fs.renameSync(gateway.data, away);
		await waitForLog(gateway, /"reason":"folder-gone"/);
		fs.renameSync(away, gateway.data);
		await waitForLog(gateway, /The data folder is back/);
		assert.equal((await gateway.send('POST', '/v1/agent/workflows/run', createRunRequest('greeter', 'blocking'))).status, 200);
	});
});

(process.platform === 'win32' ? describe.skip : describe)('a data folder whose hold is removed', () => {
	afterEach(cleanUpGateways);

	it('keeps a second gateway from serving the same store, immediately and later', async () => {
		const gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
		const hold = path.join(gateway.data, 'gateway.hold');
		fs.rmSync(hold);
		assert.equal((await runGateway(['--data', gateway.data])).code, 3, 'at once: the sign names who answers');
		await waitForLog(gateway, /Locked the folder again/);
		fs.rmSync(path.join(gateway.data, 'gateway.lock'));
		assert.equal((await runGateway(['--data', gateway.data])).code, 3, 'later: the hold was taken again');
		assert.equal((await gateway.send('POST', '/v1/agent/workflows/run', createRunRequest('greeter', 'blocking'))).status, 200);
	});
});

describe('an existing data folder that other users can read', () => {
	afterEach(cleanUpGateways);

	it('has no new file that others can read', async function () {
		if (process.platform === 'win32') {
			this.skip(); // Windows has no such mode bits
		}
		const data = createTemporaryFolder();
		fs.chmodSync(data, 0o755);
		for (const name of ['gateway.db', 'gateway.hold']) {
			fs.writeFileSync(path.join(data, name), '', { mode: 0o644 });
		}
		const gateway = await startGateway({ data, agents: { greeter: createGreetingAgent() } });
		await gateway.send('POST', '/v1/agent/workflows/run', createRunRequest('greeter', 'blocking'));
		await gateway.send('GET', '/v1/agent/workflows/logs?model=greeter&keyword=Ana');
		for (const name of fs.readdirSync(data, { recursive: true }) as string[]) {
			const { mode } = fs.statSync(path.join(data, name));
			assert.equal(mode & 0o077, 0, `${name} has mode ${(mode & 0o777).toString(8)}`);
		}
	});

	it('is cleared of incomplete uploads that a kill left behind', async () => {
		const data = createTemporaryFolder();
		const first = await startGateway({ data });
		const form = new FormData();
		form.set('user', 'ana');
		form.set('file', new Blob(['text']), 'a.txt');
		const headers = { authorization: `Bearer ${first.apiKey}` };
		const uploaded = (await (await fetch(`${first.baseUrl}/v1/agent/files/upload`, { method: 'POST', headers, body: form })).json()) as {
			id: string;
		};
		await first.endProcess('SIGKILL');
		const uploads = path.join(data, 'uploads');
		for (const name of ['half.part', '00000000-0000-4000-8000-000000000000']) {
			fs.writeFileSync(path.join(uploads, name), 'x');
		}
		await startGateway({ data });
		while (fs.readdirSync(uploads).length > 1) {
			await new Promise(resolve => setTimeout(resolve, 20));
		}
		assert.deepEqual(fs.readdirSync(uploads), [uploaded.id]);
	});
});
