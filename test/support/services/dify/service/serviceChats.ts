import { type Exchange, getBodyText, getQueryInteger, Refusal, Reply, type Route } from '../exchange.ts';
import type { FakeRun } from '../runs/fakeRun.ts';
import { createMessageEndEvent, createPausedEvent } from '../runs/runEvents.ts';
import { streamRun } from '../runs/runs.ts';
import type { FakeApp, Fields } from '../state.ts';
import { getPublishedWorkflow, stopTask, waitUntilRunSettles } from './serviceRuns.ts';
import { getAppOfKind, getRequestInputs, getRequestUser } from './serviceSurface.ts';

const bad: [number, string] = [400, 'invalid_param'];

/** Routes of chats: turns, conversations and messages. */
export const serviceChats: readonly Route[] = [
	{ method: 'POST', path: '/chat-messages', handle: startTurn },
	{ method: 'POST', path: '/chat-messages/{task}/stop', handle: exchange => stopTask(exchange, 'chat') },
	{ method: 'GET', path: '/conversations', handle: listConversations },
	{ method: 'POST', path: '/conversations/{conversation}/name', handle: renameConversation },
	{ method: 'DELETE', path: '/conversations/{conversation}', handle: deleteConversation },
	{ method: 'GET', path: '/conversations/{conversation}/variables', handle: listVariables },
	{ method: 'PUT', path: '/conversations/{conversation}/variables/{variable}', handle: setVariable },
	{ method: 'GET', path: '/messages', handle: listMessages },
];

async function startTurn(exchange: Exchange): Promise<unknown> {
	const { fake, body } = exchange;
	const app = getAppOfKind(exchange, 'chat');
	if (app.mode !== 'advanced-chat') {
		return startAgentTurn(exchange, app);
	}
	const [query, user, inputs] = [getBodyText(body, 'query'), getRequestUser(exchange), getRequestInputs(exchange)];
	if (!query) {
		throw new Refusal(400, 'invalid_param', 'query: Field required');
	}
	const conversationId = getBodyText(body, 'conversation_id') || undefined;
	if (conversationId !== undefined) {
		findConversation({ ...exchange, params: { conversation: conversationId } });
	}
	const run = fake.runs.startRun({
		app,
		workflow: getPublishedWorkflow(exchange),
		triggeredFrom: 'app-run',
		user,
		inputs,
		query,
		conversationId,
	});
	fake.chats.startTurn(run);
	if (getBodyText(body, 'response_mode') === 'streaming') {
		return streamRun(run);
	}
	await waitUntilRunSettles(run);
	if (run.status === 'failed') {
		throw new Refusal(400, 'invalid_param', run.error ?? '');
	}
	const form = run.forms.at(-1);
	const paused = run.status === 'paused' && form;
	return {
		event: paused ? 'workflow_paused' : 'message',
		task_id: run.taskId,
		id: run.messageId,
		message_id: run.messageId,
		conversation_id: run.conversationId,
		mode: app.mode,
		answer: run.answer,
		metadata: createMessageEndEvent(run)['metadata'],
		created_at: Math.floor(run.createdAt),
		...(paused ? { data: createPausedEvent(run, form)['data'] } : {}),
	};
}

function startAgentTurn(exchange: Exchange, app: FakeApp): unknown {
	const { fake, body } = exchange;
	const id = getBodyText(body, 'conversation_id');
	if (id) {
		findConversation({ ...exchange, params: { conversation: id } });
	}
	const streamed = fake.chats.agents.runTurn(exchange, app);
	const message = fake.chats.agents.messages.at(-1);
	if (message) {
		const { conversationId, user, inputs, createdAt } = message;
		fake.chats.addConversation({ id: conversationId, app, user, inputs, createdAt });
	}
	return streamed;
}

function findConversation(exchange: Exchange) {
	const user = getBodyText(exchange.body, 'user') ?? exchange.query.get('user') ?? '';
	const found = exchange.fake.chats.listConversations(exchange.app, user).find(each => each.id === exchange.params['conversation']);
	if (!found) {
		throw new Refusal(404, 'not_found', 'Conversation Not Exists.');
	}
	return found;
}

function listConversations(exchange: Exchange): unknown {
	const app = getAppOfKind(exchange, 'chat');
	const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 100 }, bad);
	const all = [...exchange.fake.chats.listConversations(app, exchange.query.get('user') ?? '')].sort((a, b) => b.updatedAt - a.updatedAt);
	const last = exchange.query.get('last_id');
	const at = last === null ? -1 : all.findIndex(each => each.id === last);
	if (last !== null && at < 0) {
		throw new Refusal(404, 'not_found', 'Last Conversation Not Exists.');
	}
	return { limit, has_more: all.length > at + 1 + limit, data: all.slice(at + 1, at + 1 + limit).map(toConversationRow) };
}

const toConversationRow = ({
	id,
	name,
	inputs,
	createdAt,
	updatedAt,
}: {
	id: string;
	name: string;
	inputs: Fields;
	createdAt: number;
	updatedAt: number;
}) => ({
	id,
	name,
	inputs,
	status: 'normal',
	introduction: '',
	created_at: Math.floor(createdAt),
	updated_at: Math.floor(updatedAt),
});

function renameConversation(exchange: Exchange): unknown {
	getAppOfKind(exchange, 'chat');
	const found = findConversation(exchange);
	const name = getBodyText(exchange.body, 'name')?.trim();
	if (exchange.body['auto_generate'] !== true && !name) {
		throw new Refusal(400, 'invalid_param', 'name is required when auto_generate is false');
	}
	found.name = exchange.body['auto_generate'] === true ? 'A talk' : (name ?? '');
	return toConversationRow(found);
}

function deleteConversation(exchange: Exchange): unknown {
	getAppOfKind(exchange, 'chat');
	exchange.fake.chats.removeConversation(findConversation(exchange).id);
	return new Reply(204, '');
}

function listVariables(exchange: Exchange): unknown {
	getAppOfKind(exchange, 'chat');
	const all = findConversation(exchange).variables;
	const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 100 }, bad);
	const last = exchange.query.get('last_id');
	const at = last === null ? -1 : all.findIndex(each => each['id'] === last);
	if (last !== null && at < 0) {
		throw new Refusal(400, 'invalid_param', '');
	}
	return { limit, has_more: all.length > at + 1 + limit, data: all.slice(at + 1, at + 1 + limit) };
}

function setVariable(exchange: Exchange): unknown {
	getAppOfKind(exchange, 'chat');
	const found = findConversation(exchange).variables.find(each => each['id'] === exchange.params['variable']);
	if (!found) {
		throw new Refusal(404, 'not_found', 'Conversation Variable Not Exists.');
	}
	const fits = typeof found['value'] === typeof exchange.body['value'];
	if (!fits) {
		throw new Refusal(400, 'bad_request', `Type mismatch: variable '${found['name']}' expects ${found['value_type']}`);
	}
	found['value'] = exchange.body['value'];
	return found;
}

/** Returns a page of messages, newest last. `first_id` is the oldest message that the client has. */
function listMessages(exchange: Exchange): unknown {
	const { fake, query } = exchange;
	const app = getAppOfKind(exchange, 'chat');
	const conversation = findConversation({ ...exchange, params: { conversation: query.get('conversation_id') ?? '' } });
	const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 100 }, bad);
	const runs = fake.runs.all.filter(each => each.app === app && each.conversationId === conversation.id);
	const played = fake.chats.agents.messages.filter(each => each.app === app && each.conversationId === conversation.id);
	const all =
		app.mode === 'advanced-chat'
			? runs.map(each => toMessageRow(exchange, each))
			: played.map(each => fake.chats.agents.toMessageRow(exchange, each));
	const first = query.get('first_id');
	const end = first === null ? all.length : all.findIndex(each => each['id'] === first);
	if (end < 0) {
		throw new Refusal(404, 'not_found', 'First Message Not Exists.');
	}
	const from = Math.max(0, end - limit);
	return { limit, has_more: from > 0, data: all.slice(from, end) };
}

function toMessageRow({ fake }: Exchange, run: FakeRun): Fields {
	const rating = fake.chats.feedbacks.find(each => each['message_id'] === run.messageId)?.['rating'];
	return {
		id: run.messageId,
		conversation_id: run.conversationId,
		parent_message_id: null,
		inputs: run.inputs,
		query: run.query,
		answer: run.answer,
		message_files: [],
		feedback: rating ? { rating } : null,
		retriever_resources: [],
		agent_thoughts: [],
		created_at: Math.floor(run.createdAt),
		status: run.status === 'paused' ? 'paused' : run.status === 'failed' ? 'error' : 'normal',
		error: run.error,
	};
}
