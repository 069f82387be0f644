import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Log } from '../../../src/gateway/process/log.ts';
import { getBlock } from '../../../src/gateway/store/runCounts.ts';
import { SearchIndex } from '../../../src/gateway/store/search/searchIndex.ts';
import { getScopes, getShortTokens } from '../../../src/gateway/store/search/searchTexts.ts';
import { Store } from '../../../src/gateway/store/store.ts';

/** A store with runs of one agent. */
export interface FilledStore {
	readonly store: Store;
	/** Files of the store and of its search index. */
	readonly file: string;
	readonly indexFile: string;
	/** Row ID of the agent. */
	readonly agent: number;
	/** A word in every tenth run. */
	readonly common: string;
	/** Words that are in one run each. */
	readonly rare: readonly string[];
}

const filled = new Map<number, FilledStore>();
const folders: string[] = [];

const words =
	'the quick brown report summary of our annual article translates a customer refund order and invoice into one world class agent model prompt answer for every question'.split(
		' ',
	);

/** Returns a store with this many runs, created once per process by inserting rows directly into its tables in one transaction. */
export async function getFilledStore(runs: number): Promise<FilledStore> {
	const known = filled.get(runs);
	if (known) {
		return known;
	}
	const folder = makeStoreFolder();
	const log = new Log('json', () => {});
	const fresh = new Store(folder, 0, log);
	const { workflow_id: workflowId } = fresh.agents.publishVersion('bench', 'name: bench', Date.now());
	const agent = fresh.agents.ensureAgent('bench').id;
	await fresh.close();
	const [file, indexFile] = [path.join(folder, 'gateway.db'), path.join(folder, 'gateway.search.db')];
	const rare = fillStore(file, indexFile, agent, workflowId, runs);
	const made: FilledStore = { store: new Store(folder, 0, log), file, indexFile, agent, common: 'customer', rare };
	filled.set(runs, made);
	return made;
}

export function makeStoreFolder(): string {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-bench-'));
	folders.push(folder);
	return folder;
}

export async function closeStores(): Promise<void> {
	for (const { store } of filled.values()) {
		await store.close();
	}
	filled.clear();
	for (const folder of folders.splice(0)) {
		fs.rmSync(folder, { recursive: true, force: true });
	}
}

function fillStore(file: string, indexFile: string, agent: number, workflowId: string, runs: number): readonly string[] {
	const db = new DatabaseSync(file);
	const fresh = new SearchIndex(indexFile, file);
	fresh.markFilled();
	fresh.close();
	const index = new DatabaseSync(indexFile);
	const insertRun = db.prepare(
		`INSERT INTO runs (id, agent, listed, status, created_at, finished_at, elapsed_time, total_tokens, total_steps, workflow_id, task_id, user, inputs, outputs)
		VALUES (?, ?, 1, ?, ?, ?, 1.5, 120, 5, ?, ?, ?, ?, ?)`,
	);
	const insertSearch = index.prepare('INSERT INTO run_search (rowid, scope, body) VALUES (?, ?, ?)');
	const insertShort = index.prepare('INSERT INTO run_search_short (rowid, tokens) VALUES (?, ?)');
	const random = createNumberGenerator();
	const counts = new Map<string, number>();
	const rare: string[] = [];
	index.exec('PRAGMA synchronous = OFF; BEGIN');
	db.exec('PRAGMA synchronous = OFF; BEGIN');
	for (let i = 1; i <= runs; i++) {
		const status = i % 50 === 0 ? 'failed' : i % 97 === 0 ? 'stopped' : 'succeeded';
		const user = `user-${i % 1000}`;
		const mark = i % Math.ceil(runs / 50) === 7 ? `needle${i.toString(36)}x` : '';
		const inputs = JSON.stringify({ text: createSentence(random, i % 10 === 0 ? 'customer' : ''), 'sys.files': [], 'sys.user_id': user });
		const outputs = JSON.stringify({ summary: `${createSentence(random, mark)} ${i}` });
		if (mark !== '') {
			rare.push(mark);
		}
		const id = `${i.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`;
		insertRun.run(id, agent, status, i * 1000, i * 1000 + 1500, workflowId, `task-${i}`, user, inputs, outputs);
		const body = `${user}\n${inputs}\n${outputs}`;
		insertSearch.run(i, getScopes(agent, status), body);
		insertShort.run(i, getShortTokens(body, agent, status));
		for (const key of ['', status]) {
			const block = `${key} ${getBlock(i)}`;
			counts.set(block, (counts.get(block) ?? 0) + 1);
		}
	}
	const insertCount = db.prepare('INSERT INTO run_counts (agent, status, block, count) VALUES (?, ?, ?, ?)');
	for (const [key, count] of counts) {
		const [status = '', block = ''] = key.split(' ');
		insertCount.run(agent, status, Number(block), count);
	}
	db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
	db.close();
	index.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
	index.close();
	return rare;
}

function createSentence(random: () => number, extra: string): string {
	const length = 6 + Math.floor(random() * 6);
	return [...Array.from({ length }, () => words[Math.floor(random() * words.length)]).filter(word => word !== 'customer'), extra].join(' ');
}

/** Returns the same numbers in each run of the benchmark. */
function createNumberGenerator(): () => number {
	let state = 42;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}
