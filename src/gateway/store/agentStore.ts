import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/** What the store keeps of an agent: it outlives the agent's file, because runs belong to it. */
export interface AgentRow {
	readonly id: number;
	readonly name: string;
	/** `sys.app_id` of its runs. */
	readonly app_id: string;
	/** The published version; null when there is none. */
	readonly workflow_id: string | null;
	/** Unix milliseconds; null for an agent that was never published, nor taken back. */
	readonly first_published_at: number | null;
}

/** A published version: the file's text as it was, for ever. */
interface VersionRow {
	readonly workflow_id: string;
	/** Time of publishing as Dify writes versions, as in `2024-08-01 12:17:09.771000`. */
	readonly version: string;
	/** Unix milliseconds. */
	readonly published_at: number;
	readonly source: string;
}

/** Agents and their published versions. */
export class AgentStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	get(name: string): AgentRow | undefined {
		return this.#db.get('SELECT id, name, app_id, workflow_id, first_published_at FROM agents WHERE name = ?', name);
	}

	/** The agent of this row ID. */
	byId(id: number): AgentRow | undefined {
		return this.#db.get('SELECT id, name, app_id, workflow_id, first_published_at FROM agents WHERE id = ?', id);
	}

	/** The agent of this name, made if it was never seen. */
	ensure(name: string): AgentRow {
		this.#db.run('INSERT INTO agents (name, app_id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING', name, randomUUID());
		return this.get(name) as AgentRow;
	}

	/** Keeps this text as the agent's new published version; returns it. */
	publish(name: string, source: string, now: number): VersionRow {
		const workflowId = randomUUID();
		const version = new Date(now).toISOString().replace('T', ' ').replace('Z', '000');
		return this.#db.transaction(() => {
			const agent = this.ensure(name);
			this.#db.run(
				'INSERT INTO versions (workflow_id, agent, version, published_at, source) VALUES (?, ?, ?, ?, ?)',
				workflowId,
				agent.id,
				version,
				now,
				source,
			);
			this.#db.run(
				'UPDATE agents SET workflow_id = ?, first_published_at = coalesce(first_published_at, ?) WHERE id = ?',
				workflowId,
				now,
				agent.id,
			);
			return { workflow_id: workflowId, version, published_at: now, source };
		});
	}

	/** Takes the published version back; its copy stays, for the runs that name it. An agent without one is not published by a run either from now on. */
	unpublish(name: string, now: number): void {
		this.#db.run(
			'UPDATE agents SET workflow_id = NULL, first_published_at = coalesce(first_published_at, ?) WHERE id = ?',
			now,
			this.ensure(name).id,
		);
	}

	version(workflowId: string): VersionRow | undefined {
		return this.#db.get('SELECT workflow_id, version, published_at, source FROM versions WHERE workflow_id = ?', workflowId);
	}

	/** Number of the agent's next run, from 1 (`sequence_number` of workflow_started). */
	nextSequenceNumber(agent: number): number {
		return (
			this.#db.get<{ runs_started: number }>('UPDATE agents SET runs_started = runs_started + 1 WHERE id = ? RETURNING runs_started', agent)
				?.runs_started ?? 1
		);
	}
}
