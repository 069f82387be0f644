import { DatabaseSync } from 'node:sqlite';
import { quotePhrase, toScope } from '../../../src/gateway/store/search/searchTexts.ts';
import { computeQuantile, shuffleItems } from '../harness/contest.ts';
import type { Measure, Round } from '../harness/table.ts';
import { type FilledStore, getFilledStore } from './filledStore.ts';

const pageSize = 20;
const orders = [undefined, 'succeeded', 'failed'].flatMap(status => [0, 3].map(page => ({ status, offset: page * pageSize })));

/** A keyword, and the FTS phrase that the floor searches for. */
interface Keyword {
	readonly keyword: string;
	readonly phrase: string;
}

const createKeyword = (keyword: string): Keyword => ({ keyword, phrase: keyword });

/**
 * Searches for a word in every tenth run, words in one run each, missing words, and one or two characters; for every status and without
 * cached totals. The floor is the FTS query alone, prepared once on a separate connection to the same index: it returns a page and the
 * number of matches. For one or two characters it searches one trigram that starts with them.
 */
export const search: Measure = {
	name: 'search',
	measure: 'keyword search in 1,000,000 runs, first and fourth page with exact totals, p99 over the same FTS query alone',
	unit: '×',
	costUnit: 'ms',
	limits: { 'common word': { most: 3 }, 'rare word': { most: 3 }, 'absent word': { most: 3 }, 'one or two characters': { most: 10 } },
	async run(inRounds) {
		const filled = await getFilledStore(1_000_000);
		const kinds: Readonly<Record<string, readonly Keyword[]>> = {
			'common word': [filled.common, 'stomer', 'CUSTOMER', 'user-7'].map(createKeyword),
			'rare word': filled.rare.slice(0, 25).map(createKeyword),
			'absent word': ['nowhere to be found', 'zzz', 'needlezz'].map(createKeyword),
			'one or two characters': [
				{ keyword: 'qu', phrase: 'qui' },
				{ keyword: '7', phrase: '7"}' },
				{ keyword: 'in', phrase: 'inp' },
				{ keyword: 'e', phrase: 'ext' },
			],
		};
		using floor = openFloorConnection(filled);
		return await inRounds({ warmUp: 1, rounds: 5 }, async (): Promise<Round> => {
			const values: Record<string, number> = {};
			const costs: Record<string, number> = {};
			for (const [kind, keywords] of Object.entries(kinds)) {
				const times = await measureSearchTimes(filled, keywords, floor);
				values[kind] = times.store / times.floor;
				costs[`${kind}: store`] = times.store;
				costs[`${kind}: FTS`] = times.floor;
			}
			return { values, costs };
		});
	},
};

interface Floor extends Disposable {
	/** Returns the milliseconds of one search. */
	measureSearch(phrase: string, status: string | undefined, offset: number): number;
}

function openFloorConnection({ indexFile, agent }: FilledStore): Floor {
	const db = new DatabaseSync(indexFile, { readOnly: true });
	const page = db.prepare('SELECT rowid FROM run_search WHERE run_search MATCH ? ORDER BY rowid DESC LIMIT ? OFFSET ?');
	const total = db.prepare('SELECT count(*) FROM run_search WHERE run_search MATCH ?');
	return {
		measureSearch(phrase, status, offset) {
			const query = `toScope : ${quotePhrase(toScope(agent, status))} AND body : ${quotePhrase(phrase)}`;
			const began = performance.now();
			page.all(query, pageSize, offset);
			total.get(query);
			return performance.now() - began;
		},
		[Symbol.dispose]: () => db.close(),
	};
}

/** Number of time ranges searched so far. */
let spans = 0;

/** Returns the 99th percentiles of the store and of the floor. Both run each search, in random order. */
async function measureSearchTimes(
	{ store, agent }: FilledStore,
	keywords: readonly Keyword[],
	floor: Floor,
): Promise<{ readonly store: number; readonly floor: number }> {
	const times = { store: [] as number[], floor: [] as number[] };
	for (const { keyword, phrase } of keywords) {
		for (const { status, offset } of orders) {
			// totals are cached by time range, so each search uses a new one
			const span = { first: 0, last: Number.MAX_SAFE_INTEGER - ++spans };
			const contenders = {
				store: async () => {
					const began = performance.now();
					const found = await store.search.findRuns({ agent, keyword, status, span, offset, limit: pageSize });
					store.runs.getRows(found.seqs);
					return performance.now() - began;
				},
				floor: async () => floor.measureSearch(phrase, status, offset),
			};
			for (const name of shuffleItems(['store', 'floor'] as const)) {
				times[name].push(await contenders[name]());
			}
		}
	}
	return { store: computeQuantile(times.store, 0.99), floor: computeQuantile(times.floor, 0.99) };
}
