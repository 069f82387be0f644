import { randomUUID } from 'node:crypto';

/** An entry of an agent's log: a round, a model request, or a tool call (wire facts 1.5, `agent_log`). */
export interface AgentLogEntry {
	readonly id: string;
	/** ID of the enclosing round; null if the entry is a round. */
	readonly parent_id: string | null;
	readonly label: string;
	readonly status: 'start' | 'success' | 'error';
	readonly error: string | null;
	readonly data: Readonly<Record<string, unknown>>;
	/**
	 * `started_at` and `finished_at` are seconds of a monotonic clock, so only their difference is meaningful; `elapsed_time` is in
	 * seconds.
	 */
	readonly metadata: Readonly<Record<string, unknown>>;
}

/** Fields set when a log entry ends. */
interface LogEnd {
	readonly data: Readonly<Record<string, unknown>>;
	readonly metadata?: Readonly<Record<string, unknown>>;
	/** Error message; absent if the entry succeeded. */
	readonly error?: string;
}

/** A started log entry. */
export interface OpenLog {
	readonly id: string;
	endEntry(end: LogEnd): void;
}

/** The log of one agent. Each entry is reported when it starts, and again when it ends. */
export class AgentLogs {
	readonly #tell: (entry: AgentLogEntry) => void;
	readonly #entries = new Map<string, AgentLogEntry>();

	constructor(tell: (entry: AgentLogEntry) => void) {
		this.#tell = tell;
	}

	/** Current state of all entries, in the order in which they started. */
	get all(): readonly AgentLogEntry[] {
		return [...this.#entries.values()];
	}

	/** Starts an entry. @param provider the provider of the model or tool */
	start(label: string, parent?: OpenLog, provider?: string): OpenLog {
		const started = performance.now() / 1000;
		const id = randomUUID();
		const known = { started_at: started, ...(provider !== undefined && { provider }) };
		const head = { id, parent_id: parent?.id ?? null, label };
		this.#emitEntry({ ...head, status: 'start', error: null, data: {}, metadata: known });
		return {
			id,
			endEntry: ({ data, metadata, error }) => {
				const finished = performance.now() / 1000;
				const times = { finished_at: finished, elapsed_time: finished - started };
				const status = error === undefined ? 'success' : 'error';
				this.#emitEntry({ ...head, status, error: error ?? null, data, metadata: { ...known, ...times, ...metadata } });
			},
		};
	}

	/** Ends all open entries because the agent failed. */
	failOpenEntries(error: string): void {
		for (const entry of this.all.toReversed()) {
			if (entry.status === 'start') {
				this.#emitEntry({ ...entry, status: 'error', error });
			}
		}
	}

	#emitEntry(entry: AgentLogEntry): void {
		this.#entries.set(entry.id, entry);
		this.#tell(entry);
	}
}
