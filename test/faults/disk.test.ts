import assert from 'node:assert/strict';
import { createChatAgent, createGreetingAgent, createWaitingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways } from '../contract/gateway/gatewayProcess.ts';
import { canHaveSmallDisks, type SmallDisk, startGatewayOnSmallDisk } from './support/smallDisk.ts';

const createRunRequest = (model: string, mode: 'streaming' | 'blocking') => ({
	model,
	inputs: { name: 'x'.repeat(40) },
	user: 'ana',
	response_mode: mode,
});

describe('a full disk', () => {
	let gateway: SmallDisk | undefined;
	before(function () {
		if (!canHaveSmallDisks) {
			this.skip(); // needs Linux with user namespaces
		}
	});
	afterEach(async () => {
		gateway?.child.kill('SIGKILL');
		gateway = undefined;
		await cleanUpGateways();
	});

	it('refuses to store data with a one-line message, ends active runs, frees their slots, and recovers when there is space', async () => {
		const agents = { greeter: createGreetingAgent(), waiter: createWaitingAgent(40, 50), chatter: createChatAgent() };
		gateway = await startGatewayOnSmallDisk(6, agents);
		const disk = gateway;
		const runAgent = (model = 'greeter') => disk.sendRequest('POST', '/v1/agent/workflows/run', createRunRequest(model, 'blocking'));
		assert.equal((await runAgent()).status, 200);
		const stream = disk.sendRequest('POST', '/v1/agent/workflows/run', createRunRequest('waiter', 'streaming'));
		while (!(await disk.sendRequest('GET', '/v1/agent/workflows/logs?model=waiter')).text.includes('"total":1'));
		disk.fillSpace();
		// free pages in the store's write-ahead log accept a few more
		const refusals = await Promise.all(Array.from({ length: 300 }, () => runAgent()));
		const refused = refusals.filter(({ status }) => status !== 200);
		assert.ok(refused.length > 0);
		for (const { status, text } of refused) {
			assert.equal(status, 507, text);
			assert.match(JSON.parse(text).message, /^The disk with the gateway's data folder is full\. .*\.$/);
		}
		const chat = await disk.sendRequest('POST', '/v1/agent/chat-messages', { ...createRunRequest('chatter', 'blocking'), query: 'hello' });
		assert.equal(chat.status, 507, chat.text);
		const form = new FormData();
		form.set('user', 'ana');
		form.set('file', new Blob(['x'.repeat(100_000)]), 'a.txt');
		const headers = { authorization: 'Bearer the-key-of-the-small-disk' };
		assert.equal((await fetch(`${disk.baseUrl}/v1/agent/files/upload`, { method: 'POST', headers, body: form })).status, 507);
		const { text: events } = await stream;
		const runId = /"workflow_run_id":"([^"]+)"/.exec(events)?.[1];
		assert.match(events, /"event":"error".*"insufficient_storage"/s);
		const detail = await disk.sendRequest('GET', `/v1/agent/workflows/run/${runId}?model=waiter`);
		assert.equal(JSON.parse(detail.text).status, 'failed', 'its run is settled');
		for (const path of ['/healthz', '/v1/agent/agents', '/v1/agent/workflows/logs?model=greeter', '/v1/models']) {
			assert.equal((await disk.sendRequest('GET', path)).status, 200, path);
		}
		disk.freeSpace();
		const answers = await Promise.all(Array.from({ length: 40 }, () => runAgent()));
		assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
		const again = await disk.sendRequest('POST', '/v1/agent/chat-messages', { ...createRunRequest('chatter', 'blocking'), query: 'hello' });
		assert.equal(again.status, 200, again.text);
		assert.equal(await disk.endGateway(), 0, disk.getLog());
	});

	it('is reported at startup in one line, with a reason and code 4', async () => {
		gateway = await startGatewayOnSmallDisk(1, {}, 'head -c 2000000 /dev/zero > ballast 2>/dev/null');
		assert.equal(await gateway.endGateway(), 4, gateway.getLog());
		const [line = '', sentence = ''] = gateway.getLog().trim().split('\n').slice(-2);
		assert.equal(JSON.parse(line).reason, 'disk-full');
		assert.match(sentence, /can't be written because the disk is full\. Free up disk space\.$/);
		assert.equal(gateway.getLog().trim().split('\n').length, 2, gateway.getLog());
	});

	it('is distinguished from a damaged disk when it no longer accepts writes', async () => {
		gateway = await startGatewayOnSmallDisk(4, {}, 'true; cd /; mount -o remount,ro "$0"');
		assert.equal(await gateway.endGateway(), 4, gateway.getLog());
		const [line = '', sentence = ''] = gateway.getLog().trim().split('\n').slice(-2);
		assert.deepEqual([JSON.parse(line).reason, JSON.parse(line).can_set_aside], ['store-read-only', false], sentence);
		assert.match(sentence, /can't be written\. Make the file and its folder writable\.$/);
	});
});
