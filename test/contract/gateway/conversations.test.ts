import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createChatAgent, createGreetingAgent, createMemoryChat } from './agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

describe('conversations (B1 to B3) and chat messages', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({
			agents: {
				chatter: createChatAgent(),
				drafted: createChatAgent(),
				slow: createChatAgent(1, 60_000),
				greeter: createGreetingAgent(),
				keeper: createMemoryChat(2_500),
			},
		});
	});
	after(cleanUpGateways);

	const sendChatMessage = async (query: string, more: Record<string, unknown> = {}) =>
		(
			await gateway.send('POST', '/v1/agent/chat-messages', {
				model: 'chatter',
				query,
				inputs: {},
				user: 'ana',
				response_mode: 'blocking',
				...more,
			})
		).json;
	const listConversations = async (query = '', user = 'ana') =>
		(await gateway.send('GET', `/v1/agent/conversations?model=chatter&user=${user}${query}`)).json;

	it('answers, remembers the turns and names the conversation', async () => {
		const first = await sendChatMessage('What is\nup?', { user: 'memory' });
		assert.equal(first.event, 'message');
		assert.match(first.answer, /^You said What is\nup\? \(turn 1\): /);
		const second = await sendChatMessage('And now?', { user: 'memory', conversation_id: first.conversation_id });
		assert.equal(second.conversation_id, first.conversation_id);
		assert.match(second.answer, /^You said And now\? \(turn 2\): /);
		const { data, has_more: more, limit } = await listConversations('', 'memory');
		assert.equal(more, false);
		assert.equal(limit, 1);
		assert.deepEqual(Object.keys(data[0]).sort(), ['created_at', 'id', 'inputs', 'introduction', 'name', 'status', 'updated_at']);
		assert.equal(data[0].name, 'What is');
		assert.equal(data[0].introduction, 'Good day.');
		assert.equal(data[0].status, 'normal');
		const messages = (await gateway.send('GET', `/v1/agent/messages?model=chatter&user=memory&conversation_id=${first.conversation_id}`))
			.json;
		assert.deepEqual(
			messages.data.map((message: { query: string }) => message.query),
			['What is\nup?', 'And now?'],
		);
		const older = `/v1/agent/messages?model=chatter&user=memory&conversation_id=${first.conversation_id}&limit=1`;
		const newest = (await gateway.send('GET', older)).json;
		assert.equal(newest.has_more, true);
		assert.equal(newest.data[0].query, 'And now?');
		assert.equal((await gateway.send('GET', `${older}&first_id=${newest.data[0].id}`)).json.data[0].query, 'What is\nup?');
	});

	it("answers a draft turn with the current file and doesn't publish it", async () => {
		const isAgentPublished = async () =>
			(await gateway.send('GET', '/v1/agent/agents')).json.data.find(({ name }: { name: string }) => name === 'drafted').published;
		const { answer } = await sendChatMessage('Hi', { model: 'drafted', draft: true });
		assert.match(answer, /^You said Hi \(turn 1\): /);
		assert.equal(await isAgentPublished(), false);
		const source = createChatAgent().replace('You said', 'I heard');
		assert.match((await sendChatMessage('Hi', { model: 'drafted', draft: true, source })).answer, /^I heard Hi /);
		assert.equal(await isAgentPublished(), false);
		await sendChatMessage('Hi', { model: 'drafted' });
		assert.equal(await isAgentPublished(), true);
	});

	it('streams a turn like Dify: message chunks, then message_end', async () => {
		const stream = await gateway.openStream('/v1/agent/chat-messages', {
			model: 'chatter',
			query: 'Hi',
			inputs: {},
			user: 'ana',
			response_mode: 'streaming',
		});
		const events = await stream.readRemainingEvents();
		const answer = events
			.filter(({ event }) => event === 'message')
			.map(event => event['answer'])
			.join('');
		assert.match(answer, /^You said Hi/);
		assert.equal(events[0]?.event, 'workflow_started');
		assert.equal(events.at(-1)?.event, 'message_end');
		assert.ok(events.every(event => event['message_id'] && event['conversation_id'] && event['task_id']));
		const { data } = (
			await gateway.send('GET', `/v1/agent/messages?model=chatter&user=ana&conversation_id=${events[0]?.['conversation_id']}`)
		).json;
		assert.equal(data[0].answer, answer);
	});

	it('pages in each order from any cursor', async () => {
		for (let i = 0; i < 5; i++) {
			await sendChatMessage(`Question ${i}`, { user: 'pager' });
		}
		for (const sort of ['created_at', '-created_at', 'updated_at', '-updated_at']) {
			const all = (await listConversations(`&sort_by=${sort}`, 'pager')).data.map((each: { name: string }) => each.name);
			assert.equal(all[0], sort.startsWith('-') ? 'Question 4' : 'Question 0');
			const paged: string[] = [];
			let last = '';
			for (;;) {
				const page = await listConversations(`&sort_by=${sort}&limit=2${last && `&last_id=${last}`}`, 'pager');
				paged.push(...page.data.map((each: { name: string }) => each.name));
				if (!page.has_more) {
					break;
				}
				assert.equal(page.limit, 2);
				last = page.data.at(-1).id;
			}
			assert.deepEqual(paged, all, sort);
		}
	});

	it('renames to a given or generated name, and deletes all messages', async () => {
		const { conversation_id: id } = await sendChatMessage('Tell me of the sea', { user: 'namer', auto_generate_name: false });
		const renameConversation = (body: object) =>
			gateway.send('POST', `/v1/agent/conversations/${id}/name`, { model: 'chatter', user: 'namer', ...body });
		assert.equal((await listConversations('', 'namer')).data[0].name, 'New conversation');
		assert.equal((await renameConversation({ name: 'Mine' })).json.name, 'Mine');
		assert.equal((await renameConversation({ name: 'ignored', auto_generate: true })).json.name, 'Tell me of the sea');
		assert.equal((await renameConversation({ name: ' ' })).status, 400);
		assert.equal((await renameConversation({ name: 'x', user: 'eve' })).status, 404);
		const deleteConversation = (user: string) => gateway.send('DELETE', `/v1/agent/conversations/${id}`, { model: 'chatter', user });
		assert.equal((await deleteConversation('eve')).json.message, 'Conversation Not Exists.');
		const gone = await deleteConversation('namer');
		assert.deepEqual([gone.status, gone.json], [200, { result: 'success' }]);
		assert.equal((await deleteConversation('namer')).status, 404);
		assert.equal((await gateway.send('GET', `/v1/agent/messages?model=chatter&user=namer&conversation_id=${id}`)).status, 404);
	});

	it('deletes all texts from runs, events and the search, including those of an active turn', async () => {
		const secret = 'Nebuchadnezzar';
		const { conversation_id: id } = await sendChatMessage(`Of ${secret}`, { user: 'forgetful' });
		const { json: before } = await gateway.send('GET', `/v1/agent/workflows/logs?model=chatter&keyword=${secret}`);
		assert.equal(before.total, 1);
		const stream = await gateway.openStream('/v1/agent/chat-messages', {
			model: 'slow',
			inputs: {},
			query: secret,
			user: 'forgetful',
			response_mode: 'streaming',
		});
		const { conversation_id: live } = await stream.waitForEvent('workflow_started');
		const deleteConversation = (model: string, conversation: string) =>
			gateway.send('DELETE', `/v1/agent/conversations/${conversation}`, { model, user: 'forgetful' });
		assert.equal((await deleteConversation('chatter', id)).status, 200);
		assert.equal((await deleteConversation('slow', live)).status, 200);
		await stream.readRemainingEvents();
		for (const model of ['chatter', 'slow']) {
			assert.equal((await gateway.send('GET', `/v1/agent/workflows/logs?model=${model}&keyword=${secret}`)).json.total, 0);
		}
		const run = before.data[0].id;
		assert.equal((await gateway.send('GET', `/v1/agent/workflows/run/${run}?model=chatter`)).status, 404);
		const db = new DatabaseSync(path.join(gateway.data, 'gateway.db'), { readOnly: true });
		for (const [table, column] of [
			['run_events', 'event'],
			['runs', "inputs || coalesce(outputs, '')"],
			['messages', 'query || answer'],
		]) {
			const { found } = db.prepare(`SELECT count(*) AS found FROM ${table} WHERE ${column} LIKE ?`).get(`%${secret}%`) as { found: number };
			assert.equal(found, 0, table);
		}
		db.close();
	});

	it('stops a streamed turn and saves it', async () => {
		const stream = await gateway.openStream('/v1/agent/chat-messages', {
			model: 'slow',
			query: 'Hi',
			inputs: {},
			user: 'ana',
			response_mode: 'streaming',
		});
		const { task_id: task, conversation_id: id } = await stream.waitForEvent('workflow_started');
		assert.equal((await gateway.send('POST', `/v1/agent/chat-messages/${task}/stop`, { model: 'slow', user: 'eve' })).status, 403);
		assert.deepEqual((await gateway.send('POST', `/v1/agent/chat-messages/${task}/stop`, { model: 'slow', user: 'ana' })).json, {
			result: 'success',
		});
		assert.equal((await stream.readRemainingEvents()).at(-1)?.event, 'message_end');
		assert.equal((await gateway.send('GET', `/v1/agent/messages?model=slow&user=ana&conversation_id=${id}`)).json.data.length, 1);
	});

	it('saves the variables of concurrent turns', async () => {
		const sendTurn = (query: string, id?: string) => sendChatMessage(query, { model: 'keeper', ...(id && { conversation_id: id }) });
		const { answer, conversation_id: id } = await sendTurn('first');
		assert.equal(answer, 'slow=none quick=first');
		const slow = await gateway.openStream('/v1/agent/chat-messages', {
			model: 'keeper',
			query: 'slow one',
			inputs: {},
			user: 'ana',
			response_mode: 'streaming',
			conversation_id: id,
		});
		await slow.waitForEvent('node_started');
		assert.equal((await sendTurn('second', id)).answer, 'slow=none quick=second');
		await slow.waitForEvent('message_end');
		assert.equal((await sendTurn('slow two', id)).answer, 'slow=slow two quick=second');
		assert.equal((await sendTurn('third', id)).answer, 'slow=slow two quick=third');
	});

	it('refuses invalid requests', async () => {
		assert.equal((await listConversations('&limit=101')).code, 'invalid_param');
		assert.equal((await listConversations('&sort_by=name')).status, 400);
		assert.equal((await listConversations('&last_id=x')).status, 400);
		assert.equal((await listConversations('&last_id=00000000-0000-4000-8000-000000000000')).message, 'Last Conversation Not Exists.');
		assert.equal((await gateway.send('GET', '/v1/agent/conversations?model=greeter&user=ana')).json.code, 'not_chat_app');
		assert.equal((await sendChatMessage('x', { model: 'greeter' })).code, 'not_chat_app');
		assert.equal(
			(await sendChatMessage('x', { conversation_id: '00000000-0000-4000-8000-000000000000' })).message,
			'Conversation Not Exists.',
		);
		const run = await gateway.send('POST', '/v1/agent/workflows/run', {
			model: 'chatter',
			inputs: {},
			user: 'ana',
			response_mode: 'blocking',
		});
		assert.equal(run.json.code, 'not_workflow_app');
	});
});
