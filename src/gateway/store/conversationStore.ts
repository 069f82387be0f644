import type { ConversationSort } from '#contract/conversations.ts';
import type { Database } from './database.ts';
import type { LateWrites } from './lateWrites.ts';
import { RunRemoval } from './runRemoval.ts';
import type { StoreFault } from './storeFault.ts';

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
interface MessageEnd {
	readonly status: string;
	readonly error: string | null;
	readonly metadata: string;
	readonly answer: string;
	/** Makes the conversation variables for the next turn of those that are kept now, both as JSON; undefined leaves them as they are. */
	readonly variables: ((kept: string) => string) | undefined;
}

/** Turns that are deleted in one transaction: few enough to keep nobody waiting. */
const deletedTurns = 20;

/** Conversations and their messages. Everything is found within one agent and one user: another user's conversation does not exist. */
export class ConversationStore {
	readonly #db: Database;
	readonly #late: LateWrites;
	readonly #removal: RunRemoval;
	/** Row IDs are not used again while this process runs: a turn may still hold that of a conversation which is deleted meanwhile. */
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

	create(conversation: Omit<ConversationRow, 'seq'>): ConversationRow {
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

	/** The turn that a run belongs to. */
	turnOfRun(runId: string): (MessageRow & { readonly conversation: number }) | undefined {
		return this.#db.get('SELECT * FROM messages WHERE run_id = ?', runId);
	}

	/** A conversation by its row ID. */
	bySeq(seq: number): ConversationRow | undefined {
		return this.#db.get('SELECT * FROM conversations WHERE seq = ?', seq);
	}

	/** IDs of the runs of a conversation's turns that have not ended. */
	unfinishedRuns(seq: number): readonly string[] {
		return this.#db
			.all<{ run_id: string }>("SELECT run_id FROM messages WHERE conversation = ? AND status IN ('running', 'paused')", seq)
			.map(row => row.run_id);
	}

	/**
	 * Deletes some of a conversation's turns, with their runs and all that is kept of those, and, with the last one, the conversation. Returns whether
	 * there is more to delete. None of its runs may go on.
	 */
	deleteSome(seq: number): boolean {
		return this.#db.transaction(() => {
			const turns = this.#db.all<{ seq: number; run: number | null }>(
				'SELECT messages.seq, runs.seq AS run FROM messages LEFT JOIN runs ON runs.id = messages.run_id WHERE conversation = ? ORDER BY messages.seq DESC LIMIT ?',
				seq,
				deletedTurns,
			);
			for (const turn of turns) {
				this.#db.run('DELETE FROM messages WHERE seq = ?', turn.seq);
				if (turn.run !== null) {
					this.#removal.remove(turn.run);
				}
			}
			if (turns.length < deletedTurns) {
				this.#db.run('DELETE FROM conversations WHERE seq = ?', seq);
			}
			return turns.length === deletedTurns;
		});
	}

	/** Writes the start of a turn. @returns false: the conversation is gone, and nothing is written */
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
	 * Writes the end of a turn; the conversation counts as updated. Returns why the store cannot take it now, if it cannot: it is written as soon as
	 * it can.
	 */
	finishMessage(id: string, end: MessageEnd, now: number): StoreFault | undefined {
		return this.#late.attempt(() => this.#finishMessage(id, end, now));
	}

	/** Ends the turns that the last process left unfinished, but for those whose runs wait for a person. */
	interruptUnfinished(): void {
		this.#db.run(
			"UPDATE messages SET status = 'paused' WHERE status = 'running' AND run_id IN (SELECT id FROM runs WHERE status = 'paused')",
		);
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

	/** Number of turns, those that go on included. */
	messageCount(conversation: number): number {
		return this.#db.get<{ count: number }>('SELECT count(*) AS count FROM messages WHERE conversation = ?', conversation)?.count ?? 0;
	}

	#finishMessage(id: string, end: MessageEnd, now: number): void {
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
