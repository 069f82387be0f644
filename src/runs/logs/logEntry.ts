/** What is kept of an entry of the service's log: no more than lists show. */
export interface LogRow {
	/** ID of the log entry. */
	readonly id: string;
	readonly runId: string;
	readonly status: string;
	readonly error: string;
	readonly elapsedSeconds: number;
	readonly tokens: number;
	/** Unix milliseconds. */
	readonly createdAt: number | undefined;
	readonly user: string;
}

/** An entry of an agent's log. */
export interface LogEntry extends LogRow {
	readonly agent: string;
}
