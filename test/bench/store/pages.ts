import { DatabaseSync } from 'node:sqlite';
import { blockSize } from '../../../src/gateway/store/runCounts.ts';
import { computeQuantile, shuffleItems } from '../harness/contest.ts';
import type { Measure, Round } from '../harness/table.ts';
import { type FilledStore, getFilledStore } from './filledStore.ts';

const statuses = [undefined, 'succeeded', 'failed', 'stopped'];
const pagesPerRound = 400;

/**
 * Reads pages of 20 and of 100 runs, of every status, from the first to the last. The floor is the same SQL with prepared statements on a
 * separate connection: the total, the row IDs of a page and their rows, at a known position.
 */
export const pages: Measure = {
	name: 'pages',
	measure: 'page of logs, any status, any page, p99 over the same SQL alone, at 100,000 and 1,000,000 runs',
	unit: '×',
	costUnit: 'ms',
	limits: { '100,000 runs': { most: 3 }, '1,000,000 runs': { most: 3 } },
	async run(inRounds) {
		const [small, large] = [await getFilledStore(100_000), await getFilledStore(1_000_000)];
		using smallFloor = openFloorConnection(small);
		using largeFloor = openFloorConnection(large);
		return await inRounds({ warmUp: 1, rounds: 9 }, async (): Promise<Round> => {
			const at = { small: measurePageTimes(small, smallFloor), large: measurePageTimes(large, largeFloor) };
			return {
				values: { '100,000 runs': at.small.store / at.small.floor, '1,000,000 runs': at.large.store / at.large.floor },
				costs: { 'store at 1,000,000': at.large.store, 'SQL at 1,000,000': at.large.floor },
			};
		});
	},
};

interface Page {
	readonly status: string | undefined;
	readonly offset: number;
	readonly size: number;
}

interface Floor extends Disposable {
	/** Reads a page at a position that is found before the measurement; returns milliseconds. */
	measurePage(page: Page): number;
}

/** Prepares the store's statements on a separate connection. */
function openFloorConnection({ file, agent }: FilledStore): Floor {
	const db = new DatabaseSync(file, { readOnly: true });
	db.exec('PRAGMA cache_size = -16384');
	const total = db.prepare('SELECT sum(count) AS total FROM run_counts WHERE agent = ? AND status = ?');
	const blocks = db.prepare('SELECT block, count FROM run_counts WHERE agent = ? AND status = ? ORDER BY block DESC');
	const seqs = db.prepare('SELECT seq FROM runs WHERE agent = ? AND listed = 1 AND seq <= ? ORDER BY seq DESC LIMIT ? OFFSET ?');
	const seqsOfStatus = db.prepare(
		'SELECT seq FROM runs WHERE agent = ? AND status = ? AND listed = 1 AND seq <= ? ORDER BY seq DESC LIMIT ? OFFSET ?',
	);
	const rows = db.prepare(
		`SELECT seq, id, status, created_at, finished_at, elapsed_time, total_tokens, total_steps, exceptions_count, runs.workflow_id AS workflow_id,
		task_id, user, error, (SELECT version FROM versions WHERE versions.workflow_id = runs.workflow_id) AS version
		FROM runs WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
	);
	return {
		measurePage({ status, offset, size }) {
			let skip = offset;
			let upTo = 0;
			for (const { block, count } of blocks.all(agent, status ?? '') as { block: number; count: number }[]) {
				if (skip < count) {
					upTo = (block + 1) * blockSize - 1;
					break;
				}
				skip -= count;
			}
			const began = performance.now();
			total.get(agent, status ?? '');
			const found = status === undefined ? seqs.all(agent, upTo, size, skip) : seqsOfStatus.all(agent, status, upTo, size, skip);
			rows.all(JSON.stringify(found.map(row => row['seq'])));
			return performance.now() - began;
		},
		[Symbol.dispose]: () => db.close(),
	};
}

/** Returns the 99th percentiles of the store and of the floor. Both read each page, in random order. */
function measurePageTimes({ store, agent }: FilledStore, floor: Floor): { readonly store: number; readonly floor: number } {
	const times = { store: [] as number[], floor: [] as number[] };
	for (let i = 0; i < pagesPerRound; i++) {
		const page = choosePage(i, status => store.runs.countRuns(agent, status));
		const contenders = {
			store: () => {
				const began = performance.now();
				store.runs.countRuns(agent, page.status);
				const rows = store.runs.getRunPage(agent, page.status, page.offset, page.size);
				if (rows.length === 0) {
					throw new Error(`the page from ${page.offset} on is empty`);
				}
				return performance.now() - began;
			},
			floor: () => floor.measurePage(page),
		};
		for (const name of shuffleItems(['store', 'floor'] as const)) {
			times[name].push(contenders[name]());
		}
	}
	return { store: computeQuantile(times.store, 0.99), floor: computeQuantile(times.floor, 0.99) };
}

/** Chooses the last page every fifth time, and otherwise pages that are spread over the whole list. */
function choosePage(i: number, count: (status: string | undefined) => number): Page {
	const status = statuses[i % statuses.length];
	const size = i % 3 === 0 ? 100 : 20;
	const lastPage = Math.ceil(count(status) / size);
	const page = i % 5 === 0 ? lastPage : 1 + Math.floor((((i * 7919) % 1_000) / 1_000) * lastPage);
	return { status, offset: (page - 1) * size, size };
}
