import { randomUUID } from 'node:crypto';

/** A line of an agent's log: a round, a question to its model, or a call of a tool (wire facts 1.5, `agent_log`). */
export interface AgentLogEntry {
	readonly id: string;
	/** The round that it is of; null: a round itself. */
	readonly parent_id: string | null;
	readonly label: string;
	readonly status: 'start' | 'success' | 'error';
	readonly error: string | null;
	readonly data: Readonly<Record<string, unknown>>;
	/** `started_at`, `finished_at`: seconds of a clock that only differences of say something; `elapsed_time` in seconds. */
	readonly metadata: Readonly<Record<string, unknown>>;
}

/** What a line of the log ends with. */
interface LogEnd {
	readonly data: Readonly<Record<string, unknown>>;
	readonly metadata?: Readonly<Record<string, unknown>>;
	/** Present: it failed. */
	readonly error?: string;
}

/** A line that has begun. */
export interface OpenLog {
	readonly id: string;
	end(end: LogEnd): void;
}

/** The log of one agent: each line is told when it begins, and again when it ends. */
export class AgentLogs {
	readonly #tell: (entry: AgentLogEntry) => void;
	readonly #entries = new Map<string, AgentLogEntry>();

	constructor(tell: (entry: AgentLogEntry) => void) {
		this.#tell = tell;
	}

	/** Each line as it stands, in the order in which they began. */
	get all(): readonly AgentLogEntry[] {
		return [...this.#entries.values()];
	}

	/** Begins a line. @param provider of the model or the tool */
	start(label: string, parent?: OpenLog, provider?: string): OpenLog {
		const started = performance.now() / 1000;
		const id = randomUUID();
		const known = { started_at: started, ...(provider !== undefined && { provider }) };
		const head = { id, parent_id: parent?.id ?? null, label };
		this.#set({ ...head, status: 'start', error: null, data: {}, metadata: known });
		return {
			id,
			end: ({ data, metadata, error }) => {
				const finished = performance.now() / 1000;
				const times = { finished_at: finished, elapsed_time: finished - started };
				const status = error === undefined ? 'success' : 'error';
				this.#set({ ...head, status, error: error ?? null, data, metadata: { ...known, ...times, ...metadata } });
			},
		};
	}

	/** Ends all lines that are open: the agent failed. */
	fail(error: string): void {
		for (const entry of this.all.toReversed()) {
			if (entry.status === 'start') {
				this.#set({ ...entry, status: 'error', error });
			}
		}
	}

	#set(entry: AgentLogEntry): void {
		this.#entries.set(entry.id, entry);
		this.#tell(entry);
	}
}
