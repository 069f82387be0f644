/** Migrations of the store, in order. `user_version` counts those applied to a file. A released migration must never change. */
export const migrations: readonly string[] = [
	/*
	 * Times are Unix milliseconds. `runs.seq` increases with each started run and is the order of the log list. Runs of drafts are saved but
	 * not listed, as in the documented service. Large texts come last in a row, so that SQLite can read the other columns without them.
	 */
	`
	CREATE TABLE agents (
		id INTEGER PRIMARY KEY,
		name TEXT NOT NULL UNIQUE,
		app_id TEXT NOT NULL,
		workflow_id TEXT,
		first_published_at INTEGER,
		runs_started INTEGER NOT NULL DEFAULT 0
	) STRICT;

	CREATE TABLE versions (
		workflow_id TEXT PRIMARY KEY,
		agent INTEGER NOT NULL REFERENCES agents (id),
		version TEXT NOT NULL,
		published_at INTEGER NOT NULL,
		source TEXT NOT NULL
	) STRICT, WITHOUT ROWID;

	CREATE TABLE runs (
		seq INTEGER PRIMARY KEY,
		id TEXT NOT NULL,
		agent INTEGER NOT NULL REFERENCES agents (id),
		listed INTEGER NOT NULL,
		status TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		finished_at INTEGER,
		elapsed_time REAL NOT NULL DEFAULT 0,
		total_tokens INTEGER NOT NULL DEFAULT 0,
		total_steps INTEGER NOT NULL DEFAULT 0,
		exceptions_count INTEGER NOT NULL DEFAULT 0,
		workflow_id TEXT NOT NULL,
		task_id TEXT NOT NULL,
		user TEXT NOT NULL,
		error TEXT,
		inputs TEXT NOT NULL,
		outputs TEXT
	) STRICT;
	CREATE UNIQUE INDEX runs_by_id ON runs (id);
	CREATE INDEX runs_by_agent ON runs (agent, seq) WHERE listed = 1;
	CREATE INDEX runs_by_status ON runs (agent, status, seq) WHERE listed = 1;
	CREATE INDEX runs_unfinished ON runs (seq) WHERE finished_at IS NULL;

	CREATE TABLE run_counts (
		agent INTEGER NOT NULL,
		status TEXT NOT NULL,
		block INTEGER NOT NULL,
		count INTEGER NOT NULL,
		PRIMARY KEY (agent, status, block)
	) STRICT, WITHOUT ROWID;

	CREATE TABLE run_events (
		id INTEGER PRIMARY KEY,
		event TEXT NOT NULL
	) STRICT;

	CREATE VIRTUAL TABLE run_search USING fts5 (scope, body, content = '', contentless_delete = 1, tokenize = 'trigram');
	CREATE TABLE run_search_queue (run INTEGER PRIMARY KEY) STRICT;

	CREATE TABLE conversations (
		seq INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		agent INTEGER NOT NULL REFERENCES agents (id),
		user TEXT NOT NULL,
		name TEXT NOT NULL,
		introduction TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		updated_at INTEGER NOT NULL,
		inputs TEXT NOT NULL,
		variables TEXT NOT NULL
	) STRICT;
	CREATE INDEX conversations_by_update ON conversations (agent, user, updated_at, seq);
	CREATE INDEX conversations_by_creation ON conversations (agent, user, created_at, seq);

	CREATE TABLE messages (
		seq INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		conversation INTEGER NOT NULL REFERENCES conversations (seq) ON DELETE CASCADE,
		run_id TEXT NOT NULL,
		status TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		error TEXT,
		inputs TEXT NOT NULL,
		files TEXT NOT NULL,
		metadata TEXT NOT NULL,
		query TEXT NOT NULL,
		answer TEXT NOT NULL
	) STRICT;
	CREATE INDEX messages_by_conversation ON messages (conversation, seq);
	CREATE INDEX messages_unfinished ON messages (seq) WHERE status = 'running';

	CREATE TABLE uploads (
		id TEXT PRIMARY KEY,
		user TEXT NOT NULL,
		name TEXT NOT NULL,
		size INTEGER NOT NULL,
		extension TEXT NOT NULL,
		mime_type TEXT NOT NULL,
		created_at INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	`,
	/* The search index is in a separate file, which is rebuilt from the runs. */
	`DROP TABLE run_search;`,
	/*
	 * Paused runs. A row of `paused_runs` has everything needed to resume, and is deleted when the run resumes; `source` is the text of a
	 * draft. Forms are kept longer, to report that they were answered. A run resumes with the answers that aren't applied yet.
	 */
	`
	CREATE TABLE paused_runs (
		run INTEGER PRIMARY KEY REFERENCES runs (seq) ON DELETE CASCADE,
		task_id TEXT NOT NULL UNIQUE,
		request TEXT NOT NULL,
		source TEXT,
		state TEXT NOT NULL
	) STRICT;

	CREATE TABLE forms (
		token TEXT PRIMARY KEY,
		run INTEGER NOT NULL REFERENCES runs (seq) ON DELETE CASCADE,
		id TEXT NOT NULL,
		node TEXT NOT NULL,
		status TEXT NOT NULL,
		applied INTEGER NOT NULL DEFAULT 0,
		asked_at INTEGER NOT NULL,
		expires_at INTEGER NOT NULL,
		form TEXT NOT NULL,
		answer TEXT
	) STRICT, WITHOUT ROWID;
	CREATE INDEX forms_by_run ON forms (run);
	CREATE INDEX forms_by_end ON forms (expires_at) WHERE status = 'waiting';
	CREATE INDEX forms_by_start ON forms (asked_at) WHERE status = 'waiting';
	CREATE INDEX forms_answered ON forms (run) WHERE status <> 'waiting' AND applied = 0;
	CREATE INDEX messages_by_run ON messages (run_id);
	`,
	/*
	 * Responses of /v1/responses, each with the input added since the previous one. `thread` is the ID of the first response: previous ones
	 * are kept as long as the last one. `conversation` is the agent's. Items are found by the IDs that callers send instead of them.
	 */
	`
	CREATE TABLE responses (
		seq INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		previous TEXT,
		thread TEXT NOT NULL,
		conversation TEXT,
		created_at INTEGER NOT NULL,
		bytes INTEGER NOT NULL,
		head TEXT NOT NULL,
		input TEXT NOT NULL,
		output TEXT NOT NULL
	) STRICT;
	CREATE INDEX responses_by_thread ON responses (thread, created_at, bytes);

	CREATE TABLE response_items (
		id TEXT PRIMARY KEY,
		response INTEGER NOT NULL REFERENCES responses (seq) ON DELETE CASCADE
	) STRICT, WITHOUT ROWID;
	CREATE INDEX response_items_by_response ON response_items (response);
	`,
	/*
	 * Calls of text generation, numbered by their end, with totals that are kept longer; and cached responses. Calls have no index other than
	 * their number, because there may be thousands per second.
	 */
	`
	CREATE TABLE text_calls (
		id INTEGER PRIMARY KEY,
		at INTEGER NOT NULL,
		endpoint TEXT NOT NULL,
		model TEXT NOT NULL,
		route TEXT NOT NULL,
		provider TEXT NOT NULL,
		status INTEGER NOT NULL,
		user TEXT NOT NULL,
		agent TEXT NOT NULL,
		run TEXT NOT NULL,
		tries INTEGER NOT NULL,
		hit INTEGER NOT NULL,
		elapsed REAL NOT NULL,
		input_tokens INTEGER,
		cached_tokens INTEGER,
		output_tokens INTEGER,
		cost REAL,
		currency TEXT NOT NULL,
		error TEXT,
		request TEXT,
		reply TEXT
	) STRICT;

	CREATE TABLE text_usage (
		day TEXT NOT NULL,
		model TEXT NOT NULL,
		agent TEXT NOT NULL,
		currency TEXT NOT NULL,
		calls INTEGER NOT NULL,
		failed INTEGER NOT NULL,
		hits INTEGER NOT NULL,
		input_tokens INTEGER NOT NULL,
		cached_tokens INTEGER NOT NULL,
		output_tokens INTEGER NOT NULL,
		cost REAL NOT NULL,
		PRIMARY KEY (day, model, agent, currency)
	) STRICT, WITHOUT ROWID;

	CREATE TABLE model_replies (
		key TEXT PRIMARY KEY,
		route TEXT NOT NULL,
		at INTEGER NOT NULL,
		size INTEGER NOT NULL,
		head TEXT NOT NULL,
		body BLOB NOT NULL
	) STRICT;
	CREATE INDEX model_replies_by_route ON model_replies (route, at);
	CREATE INDEX model_replies_by_size ON model_replies (size);
	`,
	`
	CREATE TABLE agent_descriptions (
		id INTEGER PRIMARY KEY,
		key TEXT NOT NULL UNIQUE,
		description TEXT NOT NULL
	) STRICT;
	`,
];

/** Returns the names of the tables that a store has after all migrations. */
export function getTableNames(): readonly string[] {
	const steps = migrations.join('\n').matchAll(/(CREATE|DROP) (?:VIRTUAL )?TABLE (\w+)/g);
	const names = new Set<string>();
	for (const [, verb, name = ''] of steps) {
		if (verb === 'CREATE') {
			names.add(name);
		} else {
			names.delete(name);
		}
	}
	return [...names];
}
