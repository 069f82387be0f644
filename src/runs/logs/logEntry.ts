/** The fields of a service's log entry that lists show. */
export interface LogRow {
	/** ID of the log entry. */
	readonly id: string;
	readonly runId: string;
	readonly status: string;
	readonly error: string;
	readonly elapsedSeconds: number;
	readonly tokens: number;
	/** Creation time in Unix milliseconds. */
	readonly createdAt: number | undefined;
	readonly user: string;
}

/** An entry of an agent's log. */
export interface LogEntry extends LogRow {
	readonly agent: string;
}
