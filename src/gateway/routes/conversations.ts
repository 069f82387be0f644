import { setImmediate as nextTurn } from 'node:timers/promises';
import { runsOnce } from '#agentFile/agentFileSchema.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { Conversation, ConversationPage } from '#contract/conversations.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { nameFromQuery } from '../chat/conversationName.ts';
import { type Route, serve } from '../server/route.ts';
import type { AgentRow } from '../store/agentStore.ts';
import type { ConversationRow } from '../store/conversationStore.ts';
import { seconds } from './runViews.ts';
import type { AgentRouteParts } from './workflows.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Routes for conversations (contract B1 to B3). */
export function conversationRoutes({ agents, runs, store }: AgentRouteParts): readonly Route[] {
	const { conversations } = store;
	return [
		serve(endpoints.listConversations, async exchange => {
			const { model, user, last_id: lastId, limit, sort_by: sort } = exchange.checkedQuery(endpoints.listConversations.query);
			const agent = await chatAgent(model);
			if (lastId !== undefined && !uuid.test(lastId)) {
				throw new ServiceFault(400, `last_id: ${lastId.slice(0, 100)} is not a valid uuid.`, { params: 'last_id' });
			}
			const last = lastId === undefined ? undefined : conversations.get(agent.id, user, lastId.toLowerCase());
			if (lastId !== undefined && !last) {
				throw new ServiceFault(404, 'Last Conversation Not Exists.');
			}
			const rows = conversations.list(agent.id, user, sort, last, limit + 1);
			const data = rows.slice(0, limit).map(conversationOf);
			exchange.sendJson(200, { data, has_more: rows.length > limit, limit: data.length } satisfies ConversationPage);
		}),
		serve(endpoints.renameConversation, async exchange => {
			const { model, user, name = '', auto_generate: generate } = await exchange.json(endpoints.renameConversation.body);
			const row = find(await chatAgent(model), user, exchange.params['id']);
			conversations.rename(row.seq, generate ? generatedName(row) : name.trim(), Date.now());
			exchange.sendJson(200, conversationOf(find({ id: row.agent }, user, row.id)));
		}),
		serve(endpoints.deleteConversation, async exchange => {
			const { model, user } = await exchange.json(endpoints.deleteConversation.body);
			await deleteWhole(find(await chatAgent(model), user, exchange.params['id']).seq);
			exchange.sendJson(200, { result: 'success' });
		}),
	];

	function openRuns(seq: number): readonly string[] {
		return conversations.unfinishedRuns(seq).filter(id => runs.isWanted(id));
	}

	/** Also deletes the runs of its turns, whose inputs, outputs and events contain the messages too. Stops unfinished turns first. */
	async function deleteWhole(seq: number): Promise<void> {
		for (let more = true; more; ) {
			for (let open = openRuns(seq); open.length > 0; open = openRuns(seq)) {
				await runs.endAll(open);
				// a turn records its own end shortly after its run has ended
				await nextTurn();
			}
			more = conversations.deleteSome(seq);
			store.search.wake();
			await nextTurn();
		}
	}

	async function chatAgent(name: string): Promise<AgentRow> {
		const row = await agents.known(name);
		const mode = await agents.mode(name);
		if (mode && runsOnce(mode)) {
			throw new ServiceFault(400, 'Please check if your app mode matches the right API route.', { code: 'not_chat_app' });
		}
		return row;
	}

	function find(agent: Pick<AgentRow, 'id'>, user: string, id: string | undefined): ConversationRow {
		const row = conversations.get(agent.id, user, (id ?? '').toLowerCase());
		if (!row) {
			throw new ServiceFault(404, 'Conversation Not Exists.');
		}
		return row;
	}

	function generatedName(row: ConversationRow): string {
		const first = conversations.firstMessage(row.seq);
		if (!first) {
			throw new ServiceFault(400, localizable`This conversation has no messages to generate a name from.`);
		}
		return nameFromQuery(first.query);
	}
}

function conversationOf(row: ConversationRow): Conversation {
	return {
		id: row.id,
		name: row.name,
		inputs: JSON.parse(row.inputs) as Record<string, unknown>,
		status: 'normal',
		introduction: row.introduction,
		created_at: seconds(row.created_at),
		updated_at: seconds(row.updated_at),
	};
}
