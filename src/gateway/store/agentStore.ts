import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';
import { DescriptionStore } from './descriptionStore.ts';

/** An agent in the store. It's kept after the agent's file is deleted, because runs belong to it. */
export interface AgentRow {
	readonly id: number;
	readonly name: string;
	/** Value of `sys.app_id` in the agent's runs. */
	readonly app_id: string;
	/** ID of the published version; null if there is none. */
	readonly workflow_id: string | null;
	/** Unix milliseconds; null if the agent was never published or unpublished. */
	readonly first_published_at: number | null;
}

/** A published version: a copy of the agent file that never changes. */
interface VersionRow {
	readonly workflow_id: string;
	/** Publishing time in Dify's format, for example `2024-08-01 12:17:09.771000`. */
	readonly version: string;
	/** Unix milliseconds. */
	readonly published_at: number;
	readonly source: string;
}

/** Agents and their published versions. */
export class AgentStore {
	readonly descriptions: DescriptionStore;
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
		this.descriptions = new DescriptionStore(db);
	}

	get(name: string): AgentRow | undefined {
		return this.#db.get('SELECT id, name, app_id, workflow_id, first_published_at FROM agents WHERE name = ?', name);
	}

	getById(id: number): AgentRow | undefined {
		return this.#db.get('SELECT id, name, app_id, workflow_id, first_published_at FROM agents WHERE id = ?', id);
	}

	/** Returns the agent with this name, creating it if needed. */
	ensureAgent(name: string): AgentRow {
		this.#db.run('INSERT INTO agents (name, app_id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING', name, randomUUID());
		return this.get(name) as AgentRow;
	}

	/** Saves a text as the agent's new published version, and returns that version. */
	publishVersion(name: string, source: string, now: number): VersionRow {
		const workflowId = randomUUID();
		const version = new Date(now).toISOString().replace('T', ' ').replace('Z', '000');
		return this.#db.runTransaction(() => {
			const agent = this.ensureAgent(name);
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

	/**
	 * Unpublishes an agent. The version is kept for its runs. From now on, a run doesn't publish the agent automatically, even if it never was
	 * published.
	 */
	unpublishAgent(name: string, now: number): void {
		this.#db.run(
			'UPDATE agents SET workflow_id = NULL, first_published_at = coalesce(first_published_at, ?) WHERE id = ?',
			now,
			this.ensureAgent(name).id,
		);
	}

	getVersion(workflowId: string): VersionRow | undefined {
		return this.#db.get('SELECT workflow_id, version, published_at, source FROM versions WHERE workflow_id = ?', workflowId);
	}

	/** Returns the number of the agent's next run, counted from 1 (`sequence_number` of workflow_started). */
	takeSequenceNumber(agent: number): number {
		return (
			this.#db.get<{ runs_started: number }>('UPDATE agents SET runs_started = runs_started + 1 WHERE id = ? RETURNING runs_started', agent)
				?.runs_started ?? 1
		);
	}
}
