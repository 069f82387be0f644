import assert from 'node:assert/strict';
import { createChatAgent, createFailingAgent, createGreetingAgent, createWaitingAgent } from '../agents.ts';
import { createFormAgent } from '../formAgents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../gatewayProcess.ts';
import { createTypedInputsAgent } from './mcpAgents.ts';
import { type ConnectedClient, connectClient, eras } from './mcpClients.ts';

const runIdField = 'agent-workbench/run_id';

/** Returns the text blocks of a result. */
function listTexts(result: { readonly content: readonly object[] }): string[] {
	return result.content.map(block => (block as { text: string }).text);
}

describe('agents as tools of MCP clients', () => {
	let gateway: GatewayProcess;
	before(async () => {
		const agents = {
			greeter: createGreetingAgent(),
			waiter: createWaitingAgent(),
			failer: createFailingAgent(),
			chatter: createChatAgent(),
			taker: createTypedInputsAgent(),
			asker: createFormAgent(),
			'Wörter zählen': createGreetingAgent('Hallo'),
			worter_zahlen: createGreetingAgent('Hola'),
			broken: 'kind: app\nnothing: [',
		};
		gateway = await startGateway({ agents });
		await gateway.send('GET', '/v1/agent/agents');
	});
	after(cleanUpGateways);

	/** Waits for the end of an agent's only run. */
	async function waitForRunEnd(agent: string): Promise<{ readonly id: string; readonly status: string }> {
		const { json } = await gateway.send('GET', `/v1/agent/workflows/logs?model=${agent}`);
		const [{ workflow_run: run }] = json.data;
		const events = await gateway.openFollowStream(`/v1/agent/workflows/run/${run.id}/events?model=${agent}`);
		const end = (await events.readRemainingEvents()).at(-1);
		return { id: run.id, status: end?.['data'].status };
	}

	for (const [era, mode] of Object.entries(eras)) {
		describe(`protocol ${era}`, () => {
			let connected: ConnectedClient;
			before(async () => {
				connected = await connectClient(gateway, mode);
			});
			after(() => connected[Symbol.asyncDispose]());

			it('lists a tool for each callable agent with its inputs', async () => {
				const { tools } = await connected.client.listTools();
				assert.deepEqual(
					tools.map(({ name }) => name),
					['Worter_zahlen', 'asker', 'chatter', 'failer', 'greeter', 'taker', 'waiter', 'worter_zahlen'],
				);
				const [greeterTool, chatterTool, takerTool] = ['greeter', 'chatter', 'taker'].map(name => tools.find(tool => tool.name === name));
				assert.equal(greeterTool?.title, 'Greeter');
				assert.equal(greeterTool?.description, 'Greeter for tests');
				assert.deepEqual(greeterTool?.inputSchema, {
					type: 'object',
					properties: { name: { type: 'string', maxLength: 48, description: 'Name' } },
					required: ['name'],
					additionalProperties: false,
				});
				assert.deepEqual(chatterTool?.inputSchema.required, ['query']);
				assert.deepEqual(Object.keys(chatterTool?.inputSchema.properties ?? {}), ['query', 'conversation_id']);
				const properties = takerTool?.inputSchema.properties as Record<string, { type: string; enum?: string[]; default?: unknown }>;
				assert.deepEqual(takerTool?.inputSchema.required, ['topic']);
				assert.deepEqual(
					Object.entries(properties).map(([name, { type }]) => `${name}: ${type}`),
					['topic: string', 'tone: string', 'count: number', 'loud: boolean', 'paper: string'],
				);
				assert.deepEqual([properties['tone']?.enum, properties['tone']?.default], [['dry', 'warm'], 'dry']);
			});

			it('calls a tool, reports its nodes as progress and returns outputs and run', async () => {
				const progressReports: { readonly progress: number; readonly message?: string | undefined }[] = [];
				const result = await connected.client.callTool(
					{ name: 'greeter', arguments: { name: 'Ada' } },
					{ onprogress: ({ progress, message }) => progressReports.push({ progress, message }) },
				);
				assert.deepEqual(listTexts(result), ['Hello Ada!']);
				assert.deepEqual(result.structuredContent, { greeting: 'Hello Ada!' });
				assert.equal(result.isError ?? false, false);
				assert.deepEqual(progressReports, [
					{ progress: 1, message: 'Start' },
					{ progress: 2, message: 'Greet' },
					{ progress: 3, message: 'End' },
				]);
				const run = await gateway.send('GET', `/v1/agent/workflows/run/${result._meta?.[runIdField]}?model=greeter`);
				assert.equal(run.json.status, 'succeeded');
			});

			it('accepts inputs of all types, and files as data', async () => {
				const paper = `data:text/plain;base64,${Buffer.from('On paper.').toString('base64')}`;
				const inputs = { topic: 'rain', tone: 'warm', count: 2, loud: true };
				const { structuredContent } = await connected.client.callTool({ name: 'taker', arguments: { ...inputs, paper } });
				assert.deepEqual(structuredContent, { ...inputs, paper: 'On paper.' });
				const plain = await connected.client.callTool({ name: 'taker', arguments: { topic: 'rain', count: null, paper } });
				assert.equal(plain.isError ?? false, false, listTexts(plain)[0]);
				assert.equal((plain.structuredContent as { tone: string }).tone, 'dry');
			});

			it("finds agents whose names aren't valid tool names", async () => {
				const callTool = (name: string) => connected.client.callTool({ name, arguments: { name: 'Ada' } });
				assert.deepEqual(listTexts(await callTool('Worter_zahlen')), ['Hallo Ada!']);
				assert.deepEqual(listTexts(await callTool('worter_zahlen')), ['Hola Ada!']);
			});

			it('continues a conversation', async () => {
				const first = await connected.client.callTool({ name: 'chatter', arguments: { query: 'red' } });
				const { answer, conversation_id } = first.structuredContent as { answer: string; conversation_id: string };
				assert.match(answer, /^You said red \(turn 1\): /);
				assert.deepEqual(listTexts(first), [answer, `conversation_id: ${conversation_id}`]);
				const second = await connected.client.callTool({ name: 'chatter', arguments: { query: 'blue', conversation_id } });
				const next = second.structuredContent as { answer: string; conversation_id: string };
				assert.match(next.answer, /^You said blue \(turn 2\): /);
				assert.equal(next.conversation_id, conversation_id);
				const lost = await connected.client.callTool({ name: 'chatter', arguments: { query: 'x', conversation_id: 'nowhere' } });
				assert.equal(lost.isError, true);
				assert.match(listTexts(lost)[0] ?? '', /Conversation Not Exists/);
			});

			it('names the failed node and the reason', async () => {
				const result = await connected.client.callTool({ name: 'failer', arguments: {} });
				assert.equal(result.isError, true);
				assert.match(listTexts(result)[0] ?? '', /^The agent 'failer' failed at node 'Fail' \(code\): .*as asked/);
				assert.equal(typeof result._meta?.[runIdField], 'string');
			});

			it('lists the valid inputs after a call with others', async () => {
				const getCallRefusal = async (name: string, args: Record<string, unknown>) => {
					const result = await connected.client.callTool({ name, arguments: args });
					assert.equal(result.isError, true);
					return listTexts(result)[0];
				};
				const greets = 'Expected inputs: name (string with a maximum length of 48, required).';
				assert.equal(await getCallRefusal('greeter', {}), `name is required in input form. ${greets}`);
				assert.equal(await getCallRefusal('greeter', { name: 'Ada', nick: 'A' }), `Unknown input 'nick'. ${greets}`);
				const takes =
					'Expected inputs: topic (string with a maximum length of 20, required); tone (one of "dry", "warm"); count (number); loud (true or false); paper (file).';
				assert.equal(
					await getCallRefusal('taker', { topic: 'rain', tone: 'loud' }),
					`tone in input form must be one of the following: ['dry', 'warm']. ${takes}`,
				);
				assert.equal(
					await getCallRefusal('taker', { topic: 'rain', paper: '/etc/passwd' }),
					`paper must be a file: an http:// or https:// URL, or data:TYPE;base64,…. ${takes}`,
				);
				assert.equal(
					await getCallRefusal('chatter', {}),
					'query is required. Expected inputs: query (string, required); conversation_id (string).',
				);
			});

			it('refuses an unknown tool with an error of the protocol', async () => {
				await assert.rejects(connected.client.callTool({ name: 'nobody', arguments: {} }), {
					code: -32602,
					message: /Unknown tool 'nobody'/,
				});
			});

			it('reports a paused run', async () => {
				const result = await connected.client.callTool({ name: 'asker', arguments: { name: 'Ada' } });
				assert.equal(result.isError ?? false, false);
				assert.match(listTexts(result)[0] ?? '', /^The agent 'asker' is paused and waiting for input at 'ask'\./);
				assert.equal((result.structuredContent as { status: string }).status, 'paused');
			});

			it('stops the run of a canceled call', async () => {
				const controller = new AbortController();
				const { promise: began, resolve: begin } = Promise.withResolvers<void>();
				const call = connected.client.callTool(
					{ name: 'waiter', arguments: {} },
					{ signal: controller.signal, timeout: 600_000, onprogress: ({ message }) => message === 'Model' && begin() },
				);
				await began;
				controller.abort('enough');
				await assert.rejects(call);
				assert.equal((await waitForRunEnd('waiter')).status, 'stopped');
			});

			it('notifies clients when agents are published and unpublished', async () => {
				// the agent can still be published from an earlier attempt of this test
				await gateway.send('POST', '/v1/agent/agents/greeter/publish');
				await connected.client.listTools();
				await gateway.send('POST', '/v1/agent/agents/greeter/unpublish');
				await connected.waitForChange();
				const without = await connected.client.listTools();
				assert.equal(
					without.tools.some(({ name }) => name === 'greeter'),
					false,
				);
				await gateway.send('POST', '/v1/agent/agents/greeter/publish');
				await connected.waitForChange();
				const again = await connected.client.listTools();
				assert.equal(
					again.tools.some(({ name }) => name === 'greeter'),
					true,
				);
			});

			it('accepts the key in both headers and refuses requests without it', async () => {
				await using other = await connectClient(gateway, mode, { 'x-api-key': gateway.apiKey });
				assert.ok((await other.client.listTools()).tools.length > 0);
				await assert.rejects(connectClient(gateway, mode, {}), /401|Unauthorized|The key is missing/);
				await assert.rejects(connectClient(gateway, mode, { 'x-api-key': 'another' }), /401|Unauthorized|Incorrect key/);
			});
		});
	}

	it('negotiates the era with the client', async () => {
		await using connected = await connectClient(gateway, 'auto');
		assert.equal(connected.client.getNegotiatedProtocolVersion(), '2026-07-28');
	});

	it('stops the runs of calls and disconnects listening clients when it shuts down', async () => {
		const other = await startGateway({ agents: { waiter: createWaitingAgent() } });
		const clients = await Promise.all(Object.values(eras).map(mode => connectClient(other, mode)));
		const calls = clients.map(({ client }) => {
			const { promise: began, resolve: begin } = Promise.withResolvers<void>();
			const ended = client.callTool(
				{ name: 'waiter', arguments: {} },
				{ timeout: 600_000, onprogress: ({ message }) => message === 'Model' && begin() },
			);
			return { began, ended };
		});
		await Promise.all(calls.map(({ began }) => began));
		assert.equal(await other.endProcess(), 0);
		for (const result of await Promise.all(calls.map(({ ended }) => ended))) {
			assert.equal(result.isError, true);
			assert.match(listTexts(result)[0] ?? '', /^The run of the agent 'waiter' was stopped/);
		}
		await Promise.all(clients.map(each => each[Symbol.asyncDispose]()));
	});

	it('answers an invalid request with an error of the protocol', async () => {
		const sendMcpRequest = async (method: string, body?: unknown, headers: Record<string, string> = {}) => {
			const accept = 'application/json, text/event-stream';
			const { status, json } = await gateway.send(method, '/mcp', body, { accept, ...headers });
			return [status, json?.error?.code];
		};
		const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
		assert.deepEqual(await sendMcpRequest('POST', '{"jsonrpc":'), [400, -32700]);
		assert.deepEqual(await sendMcpRequest('POST', list), [400, -32000]);
		assert.deepEqual(await sendMcpRequest('POST', list, { 'mcp-session-id': 'gone' }), [404, -32001]);
		assert.deepEqual(await sendMcpRequest('GET'), [405, -32000]);
		assert.deepEqual(await sendMcpRequest('DELETE'), [405, -32000]);
		assert.deepEqual(await sendMcpRequest('PUT'), [405, -32000]);
		const createRequestMeta = (version: string) => ({
			'io.modelcontextprotocol/protocolVersion': version,
			'io.modelcontextprotocol/clientCapabilities': {},
		});
		const createModernRequest = (version: string) => ({ ...list, params: { _meta: createRequestMeta(version) } });
		const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
		assert.deepEqual(
			await sendMcpRequest('POST', createModernRequest('2026-07-28'), { ...headers, 'mcp-method': 'tools/call' }),
			[400, -32020],
		);
		assert.deepEqual(
			await sendMcpRequest('POST', createModernRequest('2031-01-01'), { ...headers, 'mcp-protocol-version': '2031-01-01' }),
			[400, -32022],
		);
		assert.equal((await sendMcpRequest('POST', createModernRequest('2026-07-28'), { ...headers, origin: 'https://example.com' }))[0], 403);
	});
});
