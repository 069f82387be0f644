import { Log } from '../../../src/gateway/process/log.ts';
import { Store } from '../../../src/gateway/store/store.ts';
import { measureWallMs } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { makeStoreFolder } from './filledStore.ts';

const runs = 10;
const characters = 250_000;
/** Number of letters that the texts are made of. Their third power, the number of possible trigrams, is two million. */
const letters = 126;

/** Searches texts of random letters for one and two of them. */
export const shortKeywords: Measure = {
	name: 'short-keywords',
	measure: `first page for a keyword of one or two letters, among ${runs} texts with ${(runs * characters) / 1e6} million trigrams`,
	unit: 'ms',
	limits: { 'one letter': { most: 1_000 }, 'two letters': { most: 1_000 }, absent: { most: 1_000 } },
	async run(inRounds) {
		const store = new Store(makeStoreFolder(), 0, new Log('json', () => {}));
		try {
			const agent = store.agents.ensureAgent('bench').id;
			addRuns(store, agent);
			while (await store.search.indexSomeRuns());
			let last = Number.MAX_SAFE_INTEGER;
			const measureSearch = (keyword: string) => {
				// totals are cached by time range, so each search uses a new one
				const span = { first: 0, last: --last };
				return measureWallMs(() => store.search.findRuns({ agent, keyword, status: undefined, span, offset: 0, limit: 20 }));
			};
			return await inRounds({ warmUp: 1, rounds: 5 }, async () => ({
				values: {
					'one letter': await measureSearch(getLetter(1)),
					'two letters': await measureSearch(getLetter(2) + getLetter(3)),
					absent: await measureSearch('~~'),
				},
			}));
		} finally {
			await store.close();
		}
	},
};

function addRuns(store: Store, agent: number): void {
	let state = 42;
	const nextLetter = () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return getLetter(Math.floor((state / 2 ** 32) * letters));
	};
	for (let i = 0; i < runs; i++) {
		const text = Array.from({ length: characters }, nextLetter).join('');
		const started = { id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`, taskId: `task-${i}`, agent, listed: true };
		const seq = store.runs.start({ ...started, workflowId: 'w', user: 'bench', inputs: JSON.stringify({ text }), createdAt: i });
		const ended = { status: 'succeeded', outputs: '{}', error: null, elapsedTime: 1, totalTokens: 0, totalSteps: 2 };
		store.runs.finishRun(seq, { ...ended, exceptionsCount: 0, finishedAt: i });
	}
}

/** Returns one of the Hiragana and Katakana letters, which have no case. */
function getLetter(at: number): string {
	return String.fromCharCode(0x3041 + at);
}
