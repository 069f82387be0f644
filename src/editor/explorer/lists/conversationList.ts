import type { Conversation, ConversationSort } from '#contract/conversations.ts';
import { toTimestampMs } from '#contract/timestamps.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { PagedRows, type RowsPage } from './pagedRows.ts';

/** A row in the list of conversations. Times are in Unix milliseconds. */
export interface ListedConversation {
	readonly id: string;
	readonly name: string;
	readonly status: string;
	readonly createdAt: number | undefined;
	readonly updatedAt: number | undefined;
}

const pageSize = 50;

/** A user's conversations with an agent, loaded in pages and sorted by the service. */
export class ConversationList {
	readonly #connections: Connections;
	readonly #connectionId: string;
	readonly #agent: string;
	readonly pages: PagedRows<ListedConversation>;
	#sort: ConversationSort = '-updated_at';

	constructor(connections: Connections, connectionId: string, agent: string, changed: () => void) {
		this.#connections = connections;
		this.#connectionId = connectionId;
		this.#agent = agent;
		this.pages = new PagedRows(cursor => this.#fetchPage(cursor.last?.id), changed);
	}

	get sort(): ConversationSort {
		return this.#sort;
	}

	setSort(sort: ConversationSort): void {
		this.#sort = sort;
		this.pages.dropRows();
	}

	/** Replaces a conversation, or removes it if `conversation` is undefined. */
	replaceConversation(id: string, conversation: Conversation | undefined): void {
		this.pages.replaceRow(id, conversation && toListedConversation(conversation));
	}

	async #fetchPage(last: string | undefined): Promise<RowsPage<ListedConversation>> {
		try {
			const user = this.#connections.get(this.#connectionId)?.user ?? '';
			const client = await this.#connections.getClient(this.#connectionId, { ask: false });
			const query = { model: this.#agent, user, limit: pageSize, sort_by: this.#sort, ...(last !== undefined && { last_id: last }) };
			const answer = await client.listConversations(query);
			return { rows: answer.data.map(toListedConversation), hasMore: answer.has_more };
		} catch (error) {
			throw this.#connections.toProblem(this.#connectionId, error);
		}
	}
}

function toListedConversation({ id, name, status, created_at, updated_at }: Conversation): ListedConversation {
	return { id, name, status, createdAt: toTimestampMs(created_at), updatedAt: toTimestampMs(updated_at) };
}
