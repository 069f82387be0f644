import assert from 'node:assert/strict';
import { attachToGateway } from '#client/localGateway/gatewayAttachment.ts';
import { Attachments } from '#gateway/attachments.ts';
import { Log } from '#gateway/process/log.ts';
import { createAgentRoutes } from '#gateway/routes/agents.ts';
import { Authenticator } from '#gateway/server/auth.ts';
import { GatewayServer } from '#gateway/server/server.ts';

describe('an attachment to a running gateway', () => {
	let log: Log;
	let server: GatewayServer;
	let baseUrl: string;
	let foldersRead: PromiseWithResolvers<void>;
	beforeEach(async () => {
		log = new Log('json', () => {});
		log.addSecret('a-secret-of-theirs');
		foldersRead = Promise.withResolvers();
		const agents = {
			onChange: () => () => {},
			addFolder: () => foldersRead.promise.then(() => () => {}),
		} as unknown as Parameters<typeof createAgentRoutes>[0];
		server = new GatewayServer(new Authenticator('key'), log);
		server.add([
			...createAgentRoutes(
				agents,
				new Attachments(
					undefined,
					() => false,
					() => {},
					log,
				),
				'hash of the configuration',
			),
		]);
		baseUrl = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
	});
	afterEach(() => server.close(0));

	/** Attaches and resolves once a log line matches. */
	async function waitForMessage(message: string, from: 'all' | 'new' | undefined, act: () => void = () => {}): Promise<string[]> {
		const lines: string[] = [];
		const { promise, resolve } = Promise.withResolvers<void>();
		const listener = {
			onAgentsChanged: () => {},
			onEnd: () => {},
			onLog: (line: string) => {
				lines.push(line);
				if (line.includes(message)) {
					resolve();
				}
			},
		};
		const attachment = await attachToGateway({ baseUrl, key: 'key' }, [], listener, from);
		act();
		await promise;
		attachment.close();
		return lines;
	}

	it("reports the gateway's earlier log lines and then new ones, unchanged", async () => {
		log.info('listening', { base_url: 'x' });
		log.flushLines();
		const lines = await waitForMessage('slow upstream', 'all', () => {
			log.warn('slow upstream', { key: 'a-secret-of-theirs' });
			log.flushLines();
		});
		const messages = lines.map(line => JSON.parse(line).message);
		assert.ok(messages.includes('listening') && messages.includes('Client attached'), messages.join());
		assert.ok(!lines.join().includes('a-secret-of-theirs'));
	});

	it("doesn't report lines twice after attaching again", async () => {
		log.info('listening');
		log.flushLines();
		const lines = await waitForMessage('later', 'new', () => {
			log.info('later');
			log.flushLines();
		});
		assert.ok(!lines.some(line => line.includes('"listening"')));
	});

	it('keeps only the last lines', () => {
		for (let at = 0; at < 2000; at++) {
			log.info('line', { at, text: 'x'.repeat(100) });
			log.flushLines();
		}
		let reported = '';
		log.followLines(lines => {
			reported += lines;
		}, true)();
		assert.ok(reported.length <= 64 * 1024 && reported.includes('"at":1999') && !reported.includes('"at":1,'));
	});

	it("reports the gateway's configuration", async () => {
		const listener = { onAgentsChanged() {}, onLog() {}, onEnd() {} };
		const attachment = await attachToGateway({ baseUrl, key: 'key' }, [], listener);
		attachment.close();
		assert.equal(attachment.configuration, 'hash of the configuration');
	});

	it('shows that it is alive before it has read the agent folders, which can take longer than the time limit', async () => {
		const response = await fetch(`${baseUrl}/v1/agent/attach`, {
			method: 'POST',
			headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
			body: JSON.stringify({ agents: ['/slow'] }),
		});
		assert.equal(response.status, 200);
		foldersRead.resolve();
		const { value } = await response.body!.getReader().read();
		assert.match(new TextDecoder().decode(value), /^\{"attached":true,/);
	});
});
