import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import { AgentEndpoint } from '#editor/chat/endpoints/agentEndpoint.ts';
import type { ReplyStep } from '#editor/chat/endpoints/endpoint.ts';
import { convertMessages } from '#editor/chat/transcripts/conversationTurns.ts';
import type { Turn } from '#pages/chat/transcript/transcript.ts';
import type { DifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import type { FakeApp } from '../../support/services/dify/state.ts';
import { words } from '../../unit/editor/chat/endpoints/words.ts';
import { startTrackedDeployment, stopDeployments } from './managed.ts';

const agentFile = `app: {name: Helper, mode: agent-chat}
kind: app
version: 0.6.0
model_config: {model: {provider: openai, name: gpt-4o, mode: chat}}
`;
const [model, user] = ['Helper', 'ana'];
const question: Turn = { id: 'q', parent: null, role: 'user', parts: [{ kind: 'text', text: 'How long?' }], at: 0 };
const source = { document_name: 'leave.md', dataset_name: 'Handbook', score: 0.9, content: '28 days' };

describe('chat replies of Dify agents', () => {
	let fake: DifyDeployment;
	let app: FakeApp;
	let client: ServiceClient;
	beforeEach(async () => {
		fake = await startTrackedDeployment({ release: '1.18.0' });
		app = fake.addApp(agentFile);
		client = new ServiceClient({
			baseUrl: `${fake.origin}/v1`,
			kind: 'dify',
			keys: { agent: fake.addKey(app) },
			network: { environment: {} },
		});
		fake.chats.agents.next = [
			{ event: 'agent_message', answer: 'I look. ' },
			{ event: 'agent_thought', id: 's1', thought: 'I look.', tool: 'search', tool_input: '{"q":1}', observation: 'found' },
			{ event: 'message_file', name: 'cat.png' },
			{ event: 'agent_message', answer: '28 days.' },
			{ event: 'message', answer: 'I look. 28 days.' },
			{ event: 'message_end', metadata: { retriever_resources: [source] } },
		];
	});
	afterEach(async () => {
		await client.close();
		await stopDeployments();
	});

	function streamReplySteps(signal = new AbortController().signal, conversationId?: string): AsyncIterable<ReplyStep> {
		const request = { model, system: '', settings: {}, turns: [question], user, ...(conversationId && { conversationId }) };
		return new AgentEndpoint(words, undefined).streamReply(client, request, signal);
	}
	const joinReplyText = (all: readonly ReplyStep[]) => all.map(step => (step.type === 'text' ? step.text : '')).join('');

	it('show the same text, steps, files and sources as the stored conversation', async () => {
		const all: ReplyStep[] = [];
		for await (const step of streamReplySteps()) {
			all.push(step);
		}
		assert.equal(joinReplyText(all), 'I look. 28 days.');
		const kinds = all.flatMap(step => (step.type === 'part' ? [step.part.kind] : []));
		assert.deepEqual(kinds, ['text', 'step', 'stored', 'text']);
		const [conversation_id, messageId] = ['conversation', 'message']
			.map(type => all.find(step => step.type === type) as { id: string })
			.map(({ id }) => id);
		const { data } = await client.listChatMessages({ model, user, conversation_id: conversation_id! });
		const [, stored] = convertMessages(data, 'Dify', model);
		assert.deepEqual(
			stored?.parts.map(({ kind }) => kind),
			['step', 'text', 'stored'],
		);
		assert.equal(stored?.reply?.messageId, messageId);
		const removeFileUrl = (of: object | undefined) => ({ ...of, url: undefined });
		const streamed = all.flatMap(step => (step.type === 'part' && step.part.kind === 'stored' ? [step.part] : []));
		assert.deepEqual(removeFileUrl(stored?.parts[2]), removeFileUrl(streamed[0]));
		for await (const step of streamReplySteps(undefined, conversation_id)) {
			assert.ok(step.type !== 'conversation' || step.id === conversation_id);
		}
		assert.equal((await client.listChatMessages({ model, user, conversation_id: conversation_id! })).data.length, 2);
	});

	it('stop at the service and keep the received text', async () => {
		const abort = new AbortController();
		const stopped = Promise.withResolvers<void>();
		fake.watch = ({ path }) => path.endsWith('/stop') && setImmediate(stopped.resolve);
		fake.chats.agents.before = event => (event['event'] === 'message_file' ? stopped.promise : undefined);
		const all: ReplyStep[] = [];
		for await (const step of streamReplySteps(abort.signal)) {
			all.push(step);
			if (step.type === 'part' && step.part.kind === 'step') {
				abort.abort();
			}
		}
		assert.equal(joinReplyText(all), 'I look. ');
		assert.equal(fake.chats.agents.messages[0]?.stopped, true);
	});

	it('report a cut connection and keep the received text', async () => {
		fake.faults.planFault(/POST .*chat-messages$/, { kind: 'cut', afterEvents: 2 });
		const all: ReplyStep[] = [];
		const readSteps = async () => {
			for await (const step of streamReplySteps()) {
				all.push(step);
			}
		};
		await assert.rejects(readSteps(), { name: 'ServiceError' });
		assert.equal(joinReplyText(all), 'I look. ');
		assert.ok(all.some(({ type }) => type === 'message') && !all.some(({ type }) => type === 'finish'));
		app.keys.splice(0);
		await assert.rejects(readSteps(), { reason: 'auth' });
	});
});
