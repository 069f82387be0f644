/** Steps of the store's format, in order; `user_version` counts those a file has behind it. A step that was released is never changed. */
export const migrations: readonly string[] = [
	/*
	 * Times are Unix milliseconds. `runs.seq` grows with the start of a run and is the order of the log list. Runs of drafts are kept but not
	 * listed, as in the documented service. Large texts stand last in a row: SQLite then reads the others without them.
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
];
