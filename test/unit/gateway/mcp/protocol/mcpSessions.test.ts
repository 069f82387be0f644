import assert from 'node:assert/strict';
import { McpSessions } from '#gateway/mcp/protocol/mcpSessions.ts';
import { createToolServer } from '#gateway/mcp/protocol/toolServer.ts';
import type { ServedTools, ToolCall } from '#gateway/mcp/servedTools.ts';

const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const initialize = {
	jsonrpc: '2.0',
	id: 1,
	method: 'initialize',
	params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
const wait = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'wait', arguments: {} } };

describe('sessions of MCP clients', () => {
	let now: number;
	let sessions: McpSessions;
	let calls: ToolCall[];
	beforeEach(() => {
		now = 0;
		calls = [];
		// one tool, whose calls run until they are canceled
		const tools: ServedTools = {
			listTools: async () => [{ name: 'wait', title: 'Wait', description: 'Waits.', inputSchema: { type: 'object' } }],
			callTool: async call => {
				calls.push(call);
				await new Promise(resolve => call.signal.addEventListener('abort', resolve));
				return { text: [], failed: true };
			},
			onChange: () => () => {},
		};
		sessions = new McpSessions(started => createToolServer(tools, started), { most: 3, idleMs: 1000, now: () => now });
	});
	afterEach(() => sessions.close());

	const sendRequest = (body: unknown, session?: string, method = 'POST', signal?: AbortSignal): Promise<Response> =>
		sessions.handleRequest(
			new Request('http://gateway/mcp', {
				method,
				headers: { ...headers, ...(session && { 'mcp-session-id': session }) },
				...(signal && { signal }),
			}),
			body,
		);
	const startSession = async (): Promise<string> => {
		now++;
		const answer = await sendRequest(initialize);
		await answer.text();
		return answer.headers.get('mcp-session-id') ?? '';
	};
	/** Starts a call, and waits until the tool has received it. */
	const startCall = async (session: string): Promise<ToolCall> => {
		await sendRequest(wait, session);
		while (calls.length === 0) {
			await new Promise(setImmediate);
		}
		return calls.shift() as ToolCall;
	};
	const getStatus = async (session: string): Promise<number> => (await sendRequest(list, session)).status;

	it('end if they were unused for long, unless they listen or have a call', async () => {
		const idle = await startSession();
		assert.equal(await getStatus(idle), 200);
		now += 1001;
		sessions.endIdleSessions();
		assert.equal(await getStatus(idle), 404);
		const [second, third, fourth] = [await startSession(), await startSession(), await startSession()];
		const gone = new AbortController();
		assert.equal((await sendRequest(undefined, second, 'GET', gone.signal)).status, 200);
		await startCall(third);
		now += 1001;
		sessions.endIdleSessions();
		assert.deepEqual([await getStatus(second), await getStatus(third), await getStatus(fourth)], [200, 200, 404]);
		gone.abort();
		now += 1001;
		sessions.endIdleSessions();
		assert.equal(await getStatus(second), 404);
	});

	it('make room for a new one by ending the least recently used session without a call', async () => {
		const [first, second, third] = [await startSession(), await startSession(), await startSession()];
		await startCall(first);
		const fourth = await startSession();
		assert.equal(sessions.size, 3);
		assert.deepEqual(
			[await getStatus(first), await getStatus(second), await getStatus(third), await getStatus(fourth)],
			[200, 404, 200, 200],
		);
	});

	it('are refused if all others have active calls', async () => {
		for (const session of [await startSession(), await startSession(), await startSession()]) {
			await startCall(session);
		}
		assert.equal((await sendRequest(initialize)).status, 503);
	});

	it('cancel their calls by a message, or when they end', async () => {
		const session = await startSession();
		const first = await startCall(session);
		await sendRequest({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } }, session);
		assert.equal(first.signal.aborted, true);
		const second = await startCall(session);
		assert.equal((await sendRequest(undefined, session, 'DELETE')).status, 200);
		assert.equal(second.signal.aborted, true);
		assert.equal(sessions.size, 0);
	});
});
