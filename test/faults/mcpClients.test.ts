import assert from 'node:assert/strict';
import { createGreetingAgent, createWaitingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { patienceMs } from './support/patience.ts';
import { measureHealthMs } from './support/rawClient.ts';

const accept = 'application/json, text/event-stream';
const initialize = {
	jsonrpc: '2.0',
	id: 1,
	method: 'initialize',
	params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'attacker', version: '1' } },
};
const meta = {
	'io.modelcontextprotocol/protocolVersion': '2026-07-28',
	'io.modelcontextprotocol/clientCapabilities': {},
	progressToken: 1,
};
const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
const createToolCall = (name: string, args: object, _meta?: object) => ({
	jsonrpc: '2.0',
	id: 2,
	method: 'tools/call',
	params: { name, arguments: args, ...(_meta && { _meta }) },
});

describe('hostile MCP clients', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({ agents: { greeter: createGreetingAgent(), waiter: createWaitingAgent() } });
		await gateway.send('GET', '/v1/agent/agents');
	});
	after(cleanUpGateways);

	const postMcpRequest = (body: unknown, headers: Record<string, string> = {}) =>
		gateway.send('POST', '/mcp', body, { accept, ...headers });
	const startSession = async (): Promise<string> => (await postMcpRequest(initialize)).headers.get('mcp-session-id') ?? '';
	/** Sends a request with a streamed response, and resolves when the response has started. */
	const openMcpStream = (body: object, headers: Record<string, string>, signal: AbortSignal) =>
		fetch(`${gateway.baseUrl}/mcp`, {
			method: 'POST',
			headers: { accept, 'content-type': 'application/json', authorization: `Bearer ${gateway.apiKey}`, ...headers },
			body: JSON.stringify(body),
			signal,
		});

	it('that open sessions without limit lose the oldest ones, and the last one works', async () => {
		const first = await startSession();
		for (let i = 0; i < 20; i++) {
			await Promise.all(Array.from({ length: 10 }, startSession));
		}
		assert.ok((await measureHealthMs(gateway)) < patienceMs);
		const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
		assert.equal((await postMcpRequest(list, { 'mcp-session-id': first })).status, 404);
		assert.match((await postMcpRequest(list, { 'mcp-session-id': await startSession() })).text, /"name":"greeter"/);
	});

	it('with an endless body, a batch of thousands or a deeply nested value are refused, and others are answered', async () => {
		const session = { 'mcp-session-id': await startSession() };
		assert.equal(
			(await postMcpRequest(JSON.stringify(createToolCall('greeter', { name: 'x'.repeat(33 * 1024 * 1024) })), session)).status,
			413,
		);
		assert.equal(
			(
				await postMcpRequest(
					Array.from({ length: 5_000 }, (_, id) => ({ ...createToolCall('greeter', { name: 'a' }), id })),
					session,
				)
			).status,
			400,
		);
		const deep = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greeter","arguments":{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`;
		const { text } = await postMcpRequest(deep, session);
		assert.match(text, /error|isError/);
		assert.ok((await measureHealthMs(gateway)) < patienceMs);
	});

	it('that disconnect immediately stop their runs, and none continues', async () => {
		const controller = new AbortController();
		const calls = await Promise.all(
			Array.from({ length: 20 }, () =>
				openMcpStream(createToolCall('waiter', {}, meta), { ...modern, 'mcp-name': 'waiter' }, controller.signal),
			),
		);
		const readers = calls.map(({ body }) => body?.pipeThrough(new TextDecoderStream()).getReader());
		const begun = readers.map(async reader => {
			for (let received = ''; !received.includes('notifications/progress'); ) {
				received += (await reader?.read())?.value ?? '';
			}
		});
		await Promise.all(begun);
		controller.abort();
		const countRuns = async (more = '') => (await gateway.send('GET', `/v1/agent/workflows/logs?model=waiter${more}`)).json.total as number;
		const all = await countRuns();
		assert.ok(all >= 20);
		while ((await countRuns('&status=stopped')) < all) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		assert.equal(await countRuns(), all);
	});
});
