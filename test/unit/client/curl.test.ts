import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ServiceClient } from '#client/client.ts';
import { FakeService } from './fakeService.ts';

const key = `k'"$(x) +&%\\`;
const message = { model: 'm', messages: [{ role: 'user' as const, content: `it's "$HOME" \`x\` @file\nüber` }] };

describe('cURL commands', () => {
	const service = new FakeService();
	let client: ServiceClient;
	before(() => service.start());
	beforeEach(() => {
		service.setAnswers({ json: { ok: true } });
		client = new ServiceClient({
			baseUrl: service.url,
			kind: 'gateway',
			keys: { agent: key, messages: key, content: key },
			headers: { 'X-Team': "it's", 'X-Team-Token': 'very-secret' },
		});
	});
	afterEach(() => client.close());
	after(() => service.stop());

	it('are readable, and have variables instead of keys', async () => {
		const bare = new ServiceClient({ baseUrl: 'https://host/base', kind: 'gateway', keys: { agent: key, content: key } });
		assert.equal(
			await bare.formatCurl('stopRun', 't', { model: 'a', user: 'me' }),
			[
				"curl --request POST 'https://host/base/v1/agent/workflows/tasks/t/stop'",
				"--header 'accept: application/json'",
				`--header 'authorization: Bearer '"$AGENT_WORKBENCH_KEY"`,
				"--header 'content-type: application/json'",
				`--data-raw '{"model":"a","user":"me"}'`,
			].join(' \\\n\t'),
		);
		const content = await bare.formatCurl('streamGenerateContent', 'm', { contents: [] });
		assert.match(
			content,
			/^curl --no-buffer --request POST 'https:\/\/host\/base\/v1beta\/models\/m:streamGenerateContent\?alt=sse&key='"\$\(printf %s "\$AGENT_WORKBENCH_KEY" \| od .*\)" \\\n\t--header /,
		);
	});
	it('contain no key, nor the value of a header that carries one', async () => {
		const command = await client.formatCurl('createMessage', message);
		assert.ok(!command.includes(key) && !command.includes('very-secret'));
		assert.match(command, /--header 'x-team-token: '"\$AGENT_WORKBENCH_HEADER_X_TEAM_TOKEN"/);
		assert.match(command, /--header 'x-team: it'\\''s'/);
	});
	it("are refused for requests that can't be sent", async () => {
		await assert.rejects(client.formatCurl('createMessage', { ...message, temperature: 7 }), {
			reason: 'invalid-request',
			field: 'temperature',
		});
	});

	describe('in a shell', () => {
		before(function () {
			if (!canCurl()) {
				this.skip();
			}
		});
		const env = { ...process.env, AGENT_WORKBENCH_KEY: key, AGENT_WORKBENCH_HEADER_X_TEAM_TOKEN: 'very-secret' };
		const runInShell = (command: string, cwd = os.tmpdir()) => promisify(execFile)('sh', ['-c', command], { env, cwd });

		it("send the client's request: C", async () => {
			await client.createMessage(message);
			await runInShell(await client.formatCurl('createMessage', message));
			assertSameRequests();
		});
		it("send the client's request: A, with DELETE", async () => {
			const body = { model: 'a', user: "o'neil" };
			await client.deleteConversation('c', body);
			await runInShell(await client.formatCurl('deleteConversation', 'c', body));
			assertSameRequests();
		});
		it("send the client's request: E, with the key in its query", async () => {
			const body = { contents: { parts: { text: 'x' } } };
			await client.generateContent('m', body);
			await runInShell(await client.formatCurl('generateContent', 'm', body));
			const keys = service.requests.map(({ url }) => new URL(url, service.url).searchParams.get('key'));
			assert.deepEqual(keys, [key, key]);
			assert.equal(service.requests[0]!.body, service.requests[1]!.body);
		});
		it('send a file from the folder', async () => {
			const folder = mkdtempSync(path.join(os.tmpdir(), 'curl-test-'));
			writeFileSync(path.join(folder, 'a b.txt'), 'content');
			const command = await client.formatCurl(
				'uploadFile',
				{ name: 'a b.txt', data: Buffer.from('content'), type: 'text/plain' },
				{ user: 'me' },
			);
			await runInShell(command, folder);
			rmSync(folder, { recursive: true });
			assert.match(
				service.requests[0]!.body,
				/name="user"\r\n\r\nme\r\n.*filename="a b.txt"\r\nContent-Type: text\/plain\r\n\r\ncontent\r\n/s,
			);
		});
	});

	/** Asserts that the second request equals the first one, except for curl's additions. */
	function assertSameRequests(): void {
		const [ours, curls] = service.requests;
		for (const request of [ours!, curls!]) {
			for (const name of ['user-agent', 'accept-encoding', 'connection', 'host']) {
				delete request.headers[name];
			}
		}
		assert.deepEqual(curls, ours);
	}
});

function canCurl(): boolean {
	try {
		execFileSync('curl', ['--version']);
		return true;
	} catch {
		return false;
	}
}
