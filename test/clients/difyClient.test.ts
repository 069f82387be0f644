import assert from 'node:assert/strict';
import { createChatAgent, createGreetingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { installClients, loadClient } from './support/install.ts';

interface Reply {
	// biome-ignore lint/suspicious/noExplicitAny: the client returns untyped responses
	readonly data: any;
}

interface DifyClient {
	ChatClient: new (
		key: string,
		baseUrl: string,
	) => {
		createChatMessage(inputs: object, query: string, user: string, stream?: boolean, conversationId?: string | null): Promise<Reply>;
		getConversations(user: string): Promise<Reply>;
		renameConversation(id: string, name: string, user: string, autoGenerate: boolean): Promise<Reply>;
	};
	CompletionClient: new (key: string, baseUrl: string) => { runWorkflow(inputs: object, user: string, stream?: boolean): Promise<Reply> };
}

describe('dify-client', () => {
	let gateway: GatewayProcess;

	before(async function () {
		await installClients(this);
		gateway = await startGateway({ agents: { greeter: createGreetingAgent(), chatter: createChatAgent() } });
	});
	after(cleanUpGateways);

	it('runs a workflow, blocking and streamed', async () => {
		const { CompletionClient } = await loadClient<DifyClient>('dify-client');
		const client = new CompletionClient(gateway.apiKey, `${gateway.baseUrl}/dify/greeter/v1`);
		const { data } = await client.runWorkflow({ name: 'Ana' }, 'ana', false);
		assert.deepEqual(data.data.outputs, { greeting: 'Hello Ana!' });
		let events = '';
		for await (const chunk of (await client.runWorkflow({ name: 'Ana' }, 'ana', true)).data) {
			events += chunk;
		}
		assert.match(events, /"event":\s*"workflow_finished"/);
	});

	it('chats and continues its conversation', async () => {
		const { ChatClient } = await loadClient<DifyClient>('dify-client');
		const client = new ChatClient(gateway.apiKey, `${gateway.baseUrl}/dify/chatter/v1`);
		const { data: first } = await client.createChatMessage({}, 'One', 'ana', false);
		assert.match(first.answer, /You said One \(turn/);
		const { data: second } = await client.createChatMessage({}, 'Two', 'ana', false, first.conversation_id);
		assert.equal(second.conversation_id, first.conversation_id);
		await client.renameConversation(first.conversation_id, 'Numbers', 'ana', false);
		const { data: list } = await client.getConversations('ana');
		assert.equal(list.data[0].name, 'Numbers');
	});
});
