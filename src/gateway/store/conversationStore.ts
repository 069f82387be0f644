import type { ConversationSort } from '#contract/conversations.ts';
import type { Database, RowPage } from './database.ts';
import type { LateWrites } from './lateWrites.ts';
import { RunRemoval } from './runRemoval.ts';
import type { StoreFault } from './storeFault.ts';

/** A conversation of an end user with an agent. Times are Unix milliseconds, `inputs` and `variables` are JSON objects. */
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

/** One turn: the user's query and the agent's answer. `files` is a JSON array, `metadata` is a JSON object. */
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

/** The result of a turn. */
interface MessageEnd {
	readonly status: string;
	readonly error: string | null;
	readonly metadata: string;
	readonly answer: string;
	/** Computes the conversation variables for the next turn from the stored ones, both as JSON. Undefined leaves them unchanged. */
	readonly variables: ((kept: string) => string) | undefined;
}

/** Number of turns deleted in one transaction, small enough not to block others for long. */
const deletedTurns = 20;

/** Conversations and their messages. All lookups are limited to one agent and one user. */
export class ConversationStore {
	readonly #db: Database;
	readonly #late: LateWrites;
	readonly #removal: RunRemoval;
	/** Last assigned row ID. Row IDs aren't reused while this process runs, because a turn may still refer to a deleted conversation. */
	#lastSeq: number;

	constructor(db: Database, late: LateWrites) {
		this.#db = db;
		this.#late = late;
		this.#removal = new RunRemoval(db);
		this.#lastSeq = db.get<{ last: number | null }>('SELECT max(seq) AS last FROM conversations')?.last ?? 0;
	}

	get(agent: number, user: string, id: string): ConversationRow | undefined {
		return this.#db.get('SELECT * FROM conversations WHERE id = ? AND agent = ? AND user = ?', id, agent, user);
	}

	createConversation(conversation: Omit<ConversationRow, 'seq'>): ConversationRow {
		const { id, agent, user, name, introduction, created_at, updated_at, inputs, variables } = conversation;
		const seq = ++this.#lastSeq;
		this.#db.run(
			`INSERT INTO conversations (seq, id, agent, user, name, introduction, created_at, updated_at, inputs, variables) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			seq,
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
		return { ...conversation, seq };
	}

	/** Returns up to `limit` conversations after `last` in this order, which is stable for equal times. There are fewer if they are long. */
	listConversations(
		agent: number,
		user: string,
		sort: ConversationSort,
		last: ConversationRow | undefined,
		limit: number,
	): RowPage<ConversationRow> {
		const column = sort.endsWith('updated_at') ? 'updated_at' : 'created_at';
		const [order, after] = sort.startsWith('-') ? ['DESC', '<'] : ['ASC', '>'];
		const from = last ? `AND (${column}, seq) ${after} (?, ?)` : '';
		return this.#db.getPage(
			limit,
			`SELECT * FROM conversations WHERE agent = ? AND user = ? ${from} ORDER BY ${column} ${order}, seq ${order} LIMIT ?`,
			...(last ? [agent, user, last[column], last.seq, limit + 1] : [agent, user, limit + 1]),
		);
	}

	renameConversation(seq: number, name: string, now: number): void {
		this.#db.run('UPDATE conversations SET name = ?, updated_at = ? WHERE seq = ?', name, now, seq);
	}

	/** Returns the turn of a run. */
	getTurnOfRun(runId: string): (MessageRow & { readonly conversation: number }) | undefined {
		return this.#db.get('SELECT * FROM messages WHERE run_id = ?', runId);
	}

	/** Returns a conversation by its row ID. */
	getBySeq(seq: number): ConversationRow | undefined {
		return this.#db.get('SELECT * FROM conversations WHERE seq = ?', seq);
	}

	/** Returns the IDs of unfinished runs of a conversation's turns. */
	getUnfinishedRuns(seq: number): readonly string[] {
		return this.#db
			.getRows<{ run_id: string }>("SELECT run_id FROM messages WHERE conversation = ? AND status IN ('running', 'paused')", seq)
			.map(row => row.run_id);
	}

	/**
	 * Deletes some turns of a conversation with their runs and all their data, and the conversation with its last turn. Returns true if there
	 * is more to delete. None of the runs may be active.
	 */
	deleteSomeTurns(seq: number): boolean {
		return this.#db.runTransaction(() => {
			const turns = this.#db.getRows<{ seq: number; run: number | null }>(
				'SELECT messages.seq, runs.seq AS run FROM messages LEFT JOIN runs ON runs.id = messages.run_id WHERE conversation = ? ORDER BY messages.seq DESC LIMIT ?',
				seq,
				deletedTurns,
			);
			for (const turn of turns) {
				this.#db.run('DELETE FROM messages WHERE seq = ?', turn.seq);
				if (turn.run !== null) {
					this.#removal.removeRun(turn.run);
				}
			}
			if (turns.length < deletedTurns) {
				this.#db.run('DELETE FROM conversations WHERE seq = ?', seq);
			}
			return turns.length === deletedTurns;
		});
	}

	/** Saves the start of a turn. Returns false, and saves nothing, if the conversation was deleted. */
	startMessage(conversation: number, message: Pick<MessageRow, 'id' | 'run_id' | 'created_at' | 'inputs' | 'files' | 'query'>): boolean {
		const { changes } = this.#db.run(
			`INSERT INTO messages (id, conversation, run_id, status, created_at, inputs, files, metadata, query, answer) SELECT ?, seq, ?, 'running', ?, ?, ?, '{}', ?, '' FROM conversations WHERE seq = ?`,
			message.id,
			message.run_id,
			message.created_at,
			message.inputs,
			message.files,
			message.query,
			conversation,
		);
		return changes > 0;
	}

	/**
	 * Saves the end of a turn and marks the conversation as updated. If the store can't save it now, returns the reason, and saves it as soon
	 * as possible.
	 */
	finishMessage(id: string, end: MessageEnd, now: number): StoreFault | undefined {
		return this.#late.attemptWrite(() => this.#writeMessageEnd(id, end, now));
	}

	/** Ends the turns that the previous process left unfinished, except those of paused runs. */
	interruptUnfinished(): void {
		this.#db.run(
			"UPDATE messages SET status = 'paused' WHERE status = 'running' AND run_id IN (SELECT id FROM runs WHERE status = 'paused')",
		);
		this.#db.run(
			"UPDATE messages SET status = 'error', error = 'interrupted: the service ended before the reply did' WHERE status = 'running'",
		);
	}

	/** Returns up to `limit` messages older than the message `before`, newest first. There are fewer if they are long. */
	listMessages(conversation: number, before: number | undefined, limit: number): RowPage<MessageRow> {
		return this.#db.getPage(
			limit,
			'SELECT * FROM messages WHERE conversation = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
			conversation,
			before ?? Number.MAX_SAFE_INTEGER,
			limit + 1,
		);
	}

	getMessage(conversation: number, id: string): MessageRow | undefined {
		return this.#db.get('SELECT * FROM messages WHERE id = ? AND conversation = ?', id, conversation);
	}

	getFirstMessage(conversation: number): MessageRow | undefined {
		return this.#db.get('SELECT * FROM messages WHERE conversation = ? ORDER BY seq LIMIT 1', conversation);
	}

	/** Returns the number of turns, including unfinished ones. */
	countMessages(conversation: number): number {
		return this.#db.get<{ count: number }>('SELECT count(*) AS count FROM messages WHERE conversation = ?', conversation)?.count ?? 0;
	}

	#writeMessageEnd(id: string, end: MessageEnd, now: number): void {
		this.#db.runTransaction(() => {
			const row = this.#db.get<{ conversation: number }>(
				'UPDATE messages SET status = ?, error = ?, metadata = ?, answer = ? WHERE id = ? RETURNING conversation',
				end.status,
				end.error,
				end.metadata,
				end.answer,
				id,
			);
			if (row) {
				const kept = this.#db.get<{ variables: string }>('SELECT variables FROM conversations WHERE seq = ?', row.conversation);
				this.#db.run(
					'UPDATE conversations SET updated_at = ?, variables = coalesce(?, variables) WHERE seq = ?',
					now,
					(kept && end.variables?.(kept.variables)) ?? null,
					row.conversation,
				);
			}
		});
	}
}
