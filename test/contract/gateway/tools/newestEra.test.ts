import assert from 'node:assert/strict';
import path from 'node:path';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../gatewayProcess.ts';
import { type NewestMcp, startNewestMcp, startScriptedMcp } from './newestMcp.ts';
import { createToolNodeAgent } from './toolAgents.ts';

const program = path.join(import.meta.dirname, 'newestMcpProgram.ts');
const createRpcResponse = (id: unknown, answer: object, status = 200) => Response.json({ jsonrpc: '2.0', id, ...answer }, { status });

/** Answers like a server that supports only an unknown future version. */
const answerFutureVersion = (_: string, id: unknown) =>
	createRpcResponse(
		id,
		{ error: { code: -32022, message: 'Unsupported', data: { supported: ['2099-01-01'], requested: '2026-07-28' } } },
		400,
	);

/** Answers like an older server that fails on any request before its handshake. */
function answerFragileServer(method: string, id: unknown): Response {
	switch (method) {
		case 'initialize':
			return createRpcResponse(id, {
				result: { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
			});
		case 'tools/list':
			return createRpcResponse(id, { result: { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] } });
		case 'tools/call':
			return createRpcResponse(id, { result: { content: [{ type: 'text', text: 'Good day' }] } });
		case 'notifications/initialized':
			return new Response(null, { status: 202 });
		default:
			return new Response('oops', { status: 500 });
	}
}

describe('tools of MCP servers with only the newest protocol', () => {
	let gateway: GatewayProcess;
	let newest: NewestMcp;
	const odd: Awaited<ReturnType<typeof startScriptedMcp>>[] = [];
	before(async () => {
		newest = await startNewestMcp();
		odd.push(await startScriptedMcp(answerFutureVersion), await startScriptedMcp(answerFragileServer));
		const createMcpToolAgent = (provider: string, name = 'greet') =>
			createToolNodeAgent({ type: 'mcp', provider, name }, { name: '{{#start.name#}}' });
		gateway = await startGateway({
			agents: {
				http: createMcpToolAgent('http'),
				late: createMcpToolAgent('http', 'late'),
				unnamed: createMcpToolAgent('http', 'unnamed'),
				program: createMcpToolAgent('program'),
				ending: createMcpToolAgent('ending'),
				future: createMcpToolAgent('future'),
				fragile: createMcpToolAgent('fragile'),
			},
			config: {
				mcp_servers: {
					http: { url: newest.url },
					program: { command: process.execPath, args: [program, 'refuse'] },
					ending: { command: process.execPath, args: [program, 'end'] },
					future: { url: odd[0]?.url },
					fragile: { url: odd[1]?.url },
				},
			},
		});
	});
	after(async () => {
		await cleanUpGateways();
		await newest.close();
		for (const { close } of odd) {
			close();
		}
	});

	const runAgent = async (model: string) =>
		(await gateway.send('POST', '/v1/agent/workflows/run', { model, inputs: { name: 'Ana' }, user: 'ana', response_mode: 'blocking' })).json
			.data;

	it('are used over HTTP with the headers they require', async () => {
		assert.equal((await runAgent('http')).outputs?.text, 'Ahoy Ana!');
		assert.ok(newest.seen.some(headers => headers['mcp-param-name'] === 'Ana' && headers['mcp-protocol-version'] === '2026-07-28'));
		assert.ok(newest.seen.every(headers => headers['mcp-session-id'] === undefined));
	});

	it('are refused with a reason and never called if a required header has no name', async () => {
		const calls = newest.seen.filter(headers => headers['mcp-method'] === 'tools/call').length;
		assert.match(
			(await runAgent('unnamed')).error,
			/the definition of the tool 'unnamed' of the MCP server 'http' isn't valid .*x-mcp-header must be the name/,
		);
		assert.equal(newest.seen.filter(headers => headers['mcp-method'] === 'tools/call').length, calls);
		assert.match((await runAgent('late')).error, /Available: greet\.$/);
	});

	it('are read again when the server reports a change', async () => {
		assert.match((await runAgent('late')).error, /has no tool 'late'/);
		newest.addLateTool();
		let run = await runAgent('late');
		for (; run.status !== 'succeeded'; run = await runAgent('late')) {
			assert.match(run.error, /has no tool 'late'/);
		}
		assert.equal(run.outputs.text, 'Ahoy Ana!');
	});

	it('are used from a program that refuses the older handshake, and from one that exits because of it', async () => {
		assert.equal((await runAgent('program')).outputs?.text, 'Hi Ana!');
		assert.equal((await runAgent('ending')).outputs?.text, 'Hi Ana!');
	});

	it('are refused with a message if the protocol is newer than this gateway', async () => {
		assert.match((await runAgent('future')).error, /'future' isn't available: it uses version 2099-01-01 of .*up to 2026-07-28/);
	});

	it('work on an older server that answers the version request with 500', async () => {
		assert.equal((await runAgent('fragile')).outputs?.text, 'Good day');
	});
});
