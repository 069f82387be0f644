import { randomInt } from 'node:crypto';
import { createWaitingAgent } from '../contract/gateway/agents.ts';
import type { GatewayProcess } from '../contract/gateway/gatewayProcess.ts';

/** Sends a request like its users do, from its first byte to its last. Throws if the response isn't the expected one. */
export type Action = (gateway: GatewayProcess) => Promise<void>;

const words = ['sea', 'refund', 'order', 'invoice', 'agent', 'weather', 'summary', 'question'];
const pickRandomWord = () => words[randomInt(words.length)] ?? '';
const createRunRequest = (model: string, mode: string) => ({
	model,
	inputs: model === 'greeter' ? { name: pickRandomWord() } : {},
	user: 'soak',
	response_mode: mode,
});

function expectStatus(status: number, expected: number, text: string): void {
	if (status !== expected) {
		throw new Error(`got ${status} instead of ${expected}: ${text.slice(0, 300)}`);
	}
}

async function streamGreeting(gateway: GatewayProcess): Promise<string> {
	const stream = await gateway.openStream('/v1/agent/workflows/run', createRunRequest('greeter', 'streaming'));
	const events = await stream.readRemainingEvents();
	if (events.at(-1)?.event !== 'workflow_finished') {
		throw new Error(`a stream ended with ${events.at(-1)?.event}`);
	}
	return events[0]?.['workflow_run_id'] as string;
}

async function sendMessage(gateway: GatewayProcess, stream: boolean): Promise<void> {
	const body = { model: 'claude-soak', max_tokens: 100, stream, messages: [{ role: 'user', content: pickRandomWord() }] };
	const { status, text } = await gateway.send('POST', '/v1/messages', body, { 'anthropic-version': '2023-06-01' });
	expectStatus(status, 200, text);
}

/** All kinds of traffic, which are sent equally often. */
export const actions: Readonly<Record<string, Action>> = {
	'health check': async gateway => {
		const { status, text } = await gateway.send('GET', '/healthz');
		expectStatus(status, 200, text);
	},
	'blocking run': async gateway => {
		const { status, text } = await gateway.send('POST', '/v1/agent/workflows/run', createRunRequest('greeter', 'blocking'));
		expectStatus(status, 200, text);
	},
	'streamed run with a second reader': async gateway => {
		const id = await streamGreeting(gateway);
		await (await gateway.openFollowStream(`/v1/agent/workflows/run/${id}/events?model=greeter`)).readRemainingEvents();
	},
	'stopped run': async gateway => {
		const stream = await gateway.openStream('/v1/agent/workflows/run', createRunRequest('waiter', 'streaming'));
		const { task_id: task } = await stream.waitForEvent('workflow_started');
		const { status, text } = await gateway.send('POST', `/v1/agent/workflows/tasks/${task}/stop`, { model: 'waiter', user: 'soak' });
		expectStatus(status, 200, text);
		await stream.readRemainingEvents();
	},
	'abandoned run': async gateway => {
		const stream = await gateway.openStream('/v1/agent/workflows/run', createRunRequest('greeter', 'streaming'));
		await stream.cancel();
	},
	'chat of two turns and its deletion': async gateway => {
		const turn = { model: 'chatter', query: pickRandomWord(), inputs: {}, user: 'soak', response_mode: 'blocking' };
		const first = await gateway.send('POST', '/v1/agent/chat-messages', turn);
		expectStatus(first.status, 200, first.text);
		const { conversation_id: id } = first.json;
		const second = await gateway.send('POST', '/v1/agent/chat-messages', { ...turn, conversation_id: id });
		expectStatus(second.status, 200, second.text);
		const gone = await gateway.send('DELETE', `/v1/agent/conversations/${id}`, { model: 'chatter', user: 'soak' });
		expectStatus(gone.status, 200, gone.text);
	},
	message: gateway => sendMessage(gateway, false),
	'streamed message': gateway => sendMessage(gateway, true),
	logs: async gateway => {
		const { status, text } = await gateway.send('GET', `/v1/agent/workflows/logs?model=greeter&page=${1 + randomInt(20)}`);
		expectStatus(status, 200, text);
	},
	'log search': async gateway => {
		const { status, text } = await gateway.send('GET', `/v1/agent/workflows/logs?model=greeter&keyword=${pickRandomWord()}`);
		expectStatus(status, 200, text);
	},
	upload: async gateway => {
		const form = new FormData();
		form.set('user', 'soak');
		form.set('file', new Blob(['x'.repeat(randomInt(20_000))]), 'soak.txt');
		const headers = { authorization: `Bearer ${gateway.apiKey}` };
		const response = await fetch(`${gateway.baseUrl}/v1/agent/files/upload`, { method: 'POST', headers, body: form });
		expectStatus(response.status, 201, await response.text());
	},
	draft: async gateway => {
		const body = { ...createRunRequest('waiter', 'blocking'), source: createWaitingAgent(1 + randomInt(3), 0) };
		const { status, text } = await gateway.send('POST', '/v1/agent/workflows/draft/run', body);
		expectStatus(status, 200, text);
	},
};
