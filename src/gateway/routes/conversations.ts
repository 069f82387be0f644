import { setImmediate as nextTurn } from 'node:timers/promises';
import { isOneShotMode } from '#agentFile/appModes.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { Conversation, ConversationPage } from '#contract/conversations.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { createConversationName } from '../chat/conversationName.ts';
import { createRoute, type Route } from '../server/route.ts';
import type { AgentRow } from '../store/agentStore.ts';
import type { ConversationRow } from '../store/conversationStore.ts';
import { toUnixSeconds } from './runViews.ts';
import type { AgentRouteParts } from './workflows.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Routes for conversations (contract B1 to B3). */
export function createConversationRoutes({ agents, runs, store }: AgentRouteParts): readonly Route[] {
	const { conversations } = store;
	return [
		createRoute(endpoints.listConversations, async exchange => {
			const { model, user, last_id: lastId, limit, sort_by: sort } = exchange.readQuery(endpoints.listConversations.query);
			const agent = await getChatAgent(model);
			if (lastId !== undefined && !uuid.test(lastId)) {
				throw new ServiceFault(400, `last_id: ${lastId.slice(0, 100)} is not a valid uuid.`, { params: 'last_id' });
			}
			const last = lastId === undefined ? undefined : conversations.get(agent.id, user, lastId.toLowerCase());
			if (lastId !== undefined && !last) {
				throw new ServiceFault(404, 'Last Conversation Not Exists.');
			}
			const { rows, more } = conversations.listConversations(agent.id, user, sort, last, limit);
			exchange.sendJson(200, { data: rows.map(toConversation), has_more: more, limit: rows.length } satisfies ConversationPage);
		}),
		createRoute(endpoints.renameConversation, async exchange => {
			const { model, user, name = '', auto_generate: generate } = await exchange.readJson(endpoints.renameConversation.body);
			const row = findConversation(await getChatAgent(model), user, exchange.params['id']);
			conversations.renameConversation(row.seq, generate ? generateName(row) : name.trim(), Date.now());
			exchange.sendJson(200, toConversation(findConversation({ id: row.agent }, user, row.id)));
		}),
		createRoute(endpoints.deleteConversation, async exchange => {
			const { model, user } = await exchange.readJson(endpoints.deleteConversation.body);
			await deleteConversation(findConversation(await getChatAgent(model), user, exchange.params['id']).seq);
			exchange.sendJson(200, { result: 'success' });
		}),
	];

	function findOpenRuns(seq: number): readonly string[] {
		return conversations.getUnfinishedRuns(seq).filter(id => runs.isUnfinished(id));
	}

	/**
	 * Deletes a conversation with the runs of its turns, because their inputs, outputs and events contain the messages too. Stops unfinished
	 * turns first.
	 */
	async function deleteConversation(seq: number): Promise<void> {
		for (let more = true; more; ) {
			for (let open = findOpenRuns(seq); open.length > 0; open = findOpenRuns(seq)) {
				await runs.stopRuns(open);
				// a turn records its end shortly after its run has ended
				await nextTurn();
			}
			more = conversations.deleteSomeTurns(seq);
			store.search.scheduleIndexing();
			await nextTurn();
		}
	}

	async function getChatAgent(name: string): Promise<AgentRow> {
		const row = await agents.getAgentRow(name);
		const mode = await agents.getAgentMode(name);
		if (mode && isOneShotMode(mode)) {
			throw new ServiceFault(400, 'Please check if your app mode matches the right API route.', { code: 'not_chat_app' });
		}
		return row;
	}

	function findConversation(agent: Pick<AgentRow, 'id'>, user: string, id: string | undefined): ConversationRow {
		const row = conversations.get(agent.id, user, (id ?? '').toLowerCase());
		if (!row) {
			throw new ServiceFault(404, 'Conversation Not Exists.');
		}
		return row;
	}

	function generateName(row: ConversationRow): string {
		const first = conversations.getFirstMessage(row.seq);
		if (!first) {
			throw new ServiceFault(400, localizable`This conversation has no messages to generate a name from.`);
		}
		return createConversationName(first.query);
	}
}

function toConversation(row: ConversationRow): Conversation {
	return {
		id: row.id,
		name: row.name,
		inputs: JSON.parse(row.inputs) as Record<string, unknown>,
		status: 'normal',
		introduction: row.introduction,
		created_at: toUnixSeconds(row.created_at),
		updated_at: toUnixSeconds(row.updated_at),
	};
}
