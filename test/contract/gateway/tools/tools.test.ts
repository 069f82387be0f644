import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { cleanUpGateways, createTemporaryFolder, type GatewayProcess, startGateway } from '../gatewayProcess.ts';
import { startHttpMcp } from './testMcpServer.ts';
import { createAgentNodeAgent, createToolNodeAgent } from './toolAgents.ts';

const program = path.join(import.meta.dirname, 'mcpProgram.ts');
const key = 'k-tools-1a2b3c4d5e';

/** Starts a service with an OpenAPI description and a search, which records its requests. */
async function startSearchService() {
	const asked: { readonly method: string; readonly url: string; readonly headers: http.IncomingHttpHeaders; readonly body: string }[] = [];
	const server = http.createServer(async (request, response) => {
		let body = '';
		for await (const chunk of request) {
			body += chunk;
		}
		asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
		const leads = /(far|near)away/.exec(request.url ?? '')?.[1];
		if (leads !== undefined) {
			response.writeHead(302, { location: leads === 'near' ? '/v2/moved' : 'http://169.254.169.254/latest/meta-data' }).end();
			return;
		}
		response.writeHead(request.url?.endsWith('/broken') ? 503 : 200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ asked: request.url, sent: [request.headers.authorization, request.headers['x-api-key']] }));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close: () => void server.close() };
}

const description = {
	openapi: '3.1.0',
	paths: {
		'/orders/{id}': {
			parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
			post: {
				operationId: 'changeOrder',
				summary: 'Changes an order',
				parameters: [
					{ name: 'dry', in: 'query', schema: { type: 'boolean' } },
					{ name: 'X-Note', in: 'header', schema: { type: 'string' } },
					{ name: 'Authorization', in: 'header', schema: { type: 'string' } },
				],
				requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } } },
			},
		},
		'/broken': { get: { operationId: 'broken' } },
	},
	components: {
		schemas: { Change: { type: 'object', properties: { status: { type: 'string' }, self: { $ref: '#/components/schemas/Change' } } } },
	},
};

describe('tools of agents', () => {
	let gateway: GatewayProcess;
	let mcp: Awaited<ReturnType<typeof startHttpMcp>>;
	let service: Awaited<ReturnType<typeof startSearchService>>;
	before(async () => {
		[mcp, service] = await Promise.all([startHttpMcp(), startSearchService()]);
		const schema = path.join(createTemporaryFolder(), 'shop.json');
		fs.writeFileSync(schema, JSON.stringify(description));
		const greet = { type: 'mcp', provider: 'local', name: 'greet' } as const;
		const order = { id: '{{#start.name#}}', dry: 'true', 'X-Note': 'n', Authorization: 'mine', status: 'sent' };
		gateway = await startGateway({
			agents: {
				stdio: createToolNodeAgent(greet, { name: '{{#start.name#}}' }),
				overHttp: createToolNodeAgent({ type: 'mcp', provider: 'remote', name: 'greet' }, { name: '{{#start.name#}}' }),
				facts: createToolNodeAgent({ type: 'mcp', provider: 'local', name: 'facts' }),
				fail: createToolNodeAgent({ type: 'mcp', provider: 'local', name: 'fail' }),
				ghost: createToolNodeAgent({ type: 'mcp', provider: 'local', name: 'ghost' }),
				keyless: createToolNodeAgent({ type: 'mcp', provider: 'keyless', name: 'greet' }),
				order: createToolNodeAgent({ type: 'api', provider: 'shop', name: 'changeOrder' }, order),
				broken: createToolNodeAgent({ type: 'api', provider: 'shop', name: 'broken' }),
				nothing: createToolNodeAgent({ type: 'api', provider: 'shop', name: 'nothing' }),
				search: createToolNodeAgent(
					{ type: 'builtin', provider: 'langgenius/tavily/tavily', name: 'tavily_search' },
					{ query: '{{#start.name#}}' },
				),
				clerk: createAgentNodeAgent([greet, { type: 'workflow', provider: 'facts', name: 'facts' }]),
			},
			keys: { hidden: key },
			config: {
				mcp_servers: {
					local: { command: process.execPath, args: [program], env: { GREETING: 'Hi', HOME_MADE: `\${key:hidden}` } },
					remote: { url: mcp.url, headers: { authorization: `Bearer \${key:hidden}` } },
					keyless: { command: process.execPath, args: [program], env: { TOKEN: `\${key:lost}` } },
				},
				api_tools: { shop: { schema, base_url: `${service.base}/v2`, headers: { authorization: `Bearer \${key:hidden}` } } },
				search: { url: `${service.base}/find?q={query}`, headers: { 'x-api-key': `\${key:hidden}` } },
			},
		});
	});
	after(() => {
		mcp.close();
		service.close();
		return cleanUpGateways();
	});

	const runAgent = async (model: string, name = 'Ana') =>
		(await gateway.send('POST', '/v1/agent/workflows/run', { model, inputs: { name }, user: 'ana', response_mode: 'blocking' })).json.data;

	it('come from an MCP server that is a program', async () => {
		assert.deepEqual((await runAgent('stdio')).outputs, { text: 'Hi Ana!', json: [] });
		assert.deepEqual((await runAgent('facts')).outputs, { text: '', json: [{ n: 42 }] });
	});

	it('come from an MCP server over HTTP, which gets its key', async () => {
		assert.equal((await runAgent('overHttp')).outputs.text, 'Ahoy Ana!');
		assert.ok(mcp.seen.length > 0 && mcp.seen.every(({ authorization }) => authorization === `Bearer ${key}`));
	});

	it('fail with a message of the tool, about a missing tool or about a missing key', async () => {
		assert.equal((await runAgent('fail')).error, 'no luck today');
		assert.match((await runAgent('ghost')).error, /The MCP server 'local' has no tool 'ghost'\. Available: greet, facts, fail/);
		assert.match(
			(await runAgent('keyless')).error,
			/'keyless' isn't available: The gateway has no key 'lost', which mcp_servers\.keyless\.env\.TOKEN uses/,
		);
		assert.match(
			(await runAgent('nothing')).error,
			/The OpenAPI description 'shop' has no tool 'nothing'\. Available: changeOrder, broken/,
		);
		assert.match((await runAgent('broken')).error, /responded with status 503: \{"asked":"\/v2\/broken","sent":\["Bearer \*\*\*"/);
	});

	it('come from an OpenAPI description, with parameters in their places and the configured key', async () => {
		const { status, outputs } = await runAgent('order', 'a/b?c');
		assert.deepEqual([status, outputs.json[0].sent[0]], ['succeeded', 'Bearer ***']);
		const { method, url, headers, body } = service.asked.at(-1) as (typeof service.asked)[number];
		assert.deepEqual([method, url, JSON.parse(body)], ['POST', '/v2/orders/a%2Fb%3Fc?dry=true', { status: 'sent' }]);
		assert.deepEqual([headers['x-note'], headers.authorization], ['n', `Bearer ${key}`]);
		const before = service.asked.length;
		assert.match((await runAgent('order', '..')).error, /expected a value for 'id'/);
		assert.equal(service.asked.length, before);
	});

	it('search with the configured service', async () => {
		assert.match((await runAgent('search', 'red & blue')).outputs.text, /\/find\?q=red%20%26%20blue/);
		assert.equal(service.asked.at(-1)?.headers['x-api-key'], key);
	});

	it('reach a private network only at the configured address, not after a redirect', async () => {
		for (const model of ['search', 'order']) {
			const near = await runAgent(model, 'nearaway');
			assert.equal(near.status, 'succeeded', near.error);
			assert.equal(service.asked.at(-1)?.url, '/v2/moved');
			assert.match((await runAgent(model, 'faraway')).error, /169\.254\.169\.254 is on a private network/);
		}
	});

	it('are called by an agent, whose log is streamed and stored', async () => {
		const stream = await gateway.openStream('/v1/agent/workflows/run', {
			model: 'clerk',
			inputs: { name: 'Please greet Bo' },
			user: 'ana',
			response_mode: 'streaming',
		});
		const events = await stream.readRemainingEvents();
		const logs = events.filter(({ event }) => event === 'agent_log').map(({ data }) => `${data.label} ${data.status}`);
		assert.ok(logs.includes('CALL greet start') && logs.includes('CALL greet success'), logs.join());
		const last = events.at(-1);
		assert.match(last?.['data'].outputs.text, /offline model.*The tool greet returned: "Hi Please greet Bo!"/);
		const kept = await gateway.openFollowStream(`/v1/agent/workflows/run/${last?.['data'].id}/events?model=clerk&user=ana`);
		assert.equal((await kept.readRemainingEvents()).filter(({ event }) => event === 'agent_log').length, logs.length);
	});

	it("expose no key in the gateway's log or in events", async () => {
		assert.match(gateway.getLog(), /output of an MCP server.*started with Hi, \[redacted\]/);
		assert.ok(!gateway.getLog().includes(key));
	});

	it('end with the gateway', async function () {
		if (process.platform !== 'linux') {
			this.skip();
		}
		const pids = listChildPids(gateway.pid);
		assert.ok(pids.length > 0);
		await gateway.endProcess();
		assert.deepEqual(pids.filter(isProcessRunning), []);
	});
});

function listChildPids(pid: number): number[] {
	return fs
		.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
		.trim()
		.split(' ')
		.filter(text => text !== '')
		.map(Number);
}

function isProcessRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}
