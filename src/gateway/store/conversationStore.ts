import type { ConversationSort } from '../../protocol/conversations.ts';
import type { Database } from './database.ts';

/** A conversation of one end user with one agent. Times are Unix milliseconds, `inputs` and `variables` JSON objects. */
export interface ConversationRow {
	readonly seq: number;
	readonly id: string;
	/** Row ID of the agent. */
	readonly agent: number;
	readonly user: string;
	readonly name: string;
	readonly introduction: string;
	readonly created_at: number;
	readonly updated_at: number;
	readonly inputs: string;
	readonly variables: string;
}

/** One turn: what the user asked and what the agent answered. `files` is a JSON array, `metadata` a JSON object. */
export interface MessageRow {
	readonly seq: number;
	readonly id: string;
	readonly run_id: string;
	readonly status: string;
	readonly created_at: number;
	readonly error: string | null;
	readonly inputs: string;
	readonly files: string;
	readonly metadata: string;
	readonly query: string;
	readonly answer: string;
}

/** How a turn ended. */
export interface MessageEnd {
	readonly status: string;
	readonly error: string | null;
	readonly metadata: string;
	readonly answer: string;
	/** Conversation variables as JSON, kept for the next turn; undefined leaves them as they were. */
	readonly variables: string | undefined;
}

/** Conversations and their messages. Everything is found within one agent and one user: another user's conversation does not exist. */
export class ConversationStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	get(agent: number, user: string, id: string): ConversationRow | undefined {
		return this.#db.get('SELECT * FROM conversations WHERE id = ? AND agent = ? AND user = ?', id, agent, user);
	}

	create(conversation: Omit<ConversationRow, 'seq'>): ConversationRow {
		const { id, agent, user, name, introduction, created_at, updated_at, inputs, variables } = conversation;
		const { rowId } = this.#db.run(
			`INSERT INTO conversations (id, agent, user, name, introduction, created_at, updated_at, inputs, variables) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			id,
			agent,
			user,
			name,
			introduction,
			created_at,
			updated_at,
			inputs,
			variables,
		);
		return { ...conversation, seq: rowId };
	}

	/** Up to `limit` conversations in this order, after `last`: its place is kept even among equal times. */
	list(agent: number, user: string, sort: ConversationSort, last: ConversationRow | undefined, limit: number): readonly ConversationRow[] {
		const column = sort.endsWith('updated_at') ? 'updated_at' : 'created_at';
		const [order, after] = sort.startsWith('-') ? ['DESC', '<'] : ['ASC', '>'];
		const from = last ? `AND (${column}, seq) ${after} (?, ?)` : '';
		return this.#db.all(
			`SELECT * FROM conversations WHERE agent = ? AND user = ? ${from} ORDER BY ${column} ${order}, seq ${order} LIMIT ?`,
			...(last ? [agent, user, last[column], last.seq, limit] : [agent, user, limit]),
		);
	}

	rename(seq: number, name: string, now: number): void {
		this.#db.run('UPDATE conversations SET name = ?, updated_at = ? WHERE seq = ?', name, now, seq);
	}

	/** Deletes a conversation with all its messages. */
	delete(seq: number): void {
		this.#db.run('DELETE FROM conversations WHERE seq = ?', seq);
	}

	/** Writes the start of a turn. */
	startMessage(conversation: number, message: Pick<MessageRow, 'id' | 'run_id' | 'created_at' | 'inputs' | 'files' | 'query'>): void {
		this.#db.run(
			`INSERT INTO messages (id, conversation, run_id, status, created_at, inputs, files, metadata, query, answer) VALUES (?, ?, ?, 'running', ?, ?, ?, '{}', ?, '')`,
			message.id,
			conversation,
			message.run_id,
			message.created_at,
			message.inputs,
			message.files,
			message.query,
		);
	}

	/** Writes the end of a turn; the conversation counts as updated. */
	finishMessage(id: string, end: MessageEnd, now: number): void {
		this.#db.transaction(() => {
			const row = this.#db.get<{ conversation: number }>(
				'UPDATE messages SET status = ?, error = ?, metadata = ?, answer = ? WHERE id = ? RETURNING conversation',
				end.status,
				end.error,
				end.metadata,
				end.answer,
				id,
			);
			if (row) {
				this.#db.run(
					'UPDATE conversations SET updated_at = ?, variables = coalesce(?, variables) WHERE seq = ?',
					now,
					end.variables ?? null,
					row.conversation,
				);
			}
		});
	}

	/** Ends the turns that the last process left unfinished. */
	interruptUnfinished(): void {
		this.#db.run(
			"UPDATE messages SET status = 'error', error = 'interrupted: the service ended before the reply did' WHERE status = 'running'",
		);
	}

	/** Up to `limit` messages, newest first, older than the message `before`. */
	messages(conversation: number, before: number | undefined, limit: number): readonly MessageRow[] {
		return this.#db.all(
			'SELECT * FROM messages WHERE conversation = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
			conversation,
			before ?? Number.MAX_SAFE_INTEGER,
			limit,
		);
	}

	message(conversation: number, id: string): MessageRow | undefined {
		return this.#db.get('SELECT * FROM messages WHERE id = ? AND conversation = ?', id, conversation);
	}

	firstMessage(conversation: number): MessageRow | undefined {
		return this.#db.get('SELECT * FROM messages WHERE conversation = ? ORDER BY seq LIMIT 1', conversation);
	}

	/** Number of turns that were answered: `sys.dialogue_count`. */
	messageCount(conversation: number): number {
		return this.#db.get<{ count: number }>('SELECT count(*) AS count FROM messages WHERE conversation = ?', conversation)?.count ?? 0;
	}
}
