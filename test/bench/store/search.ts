import { median, quantile } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { filledStore } from './filledStore.ts';

const limit = 20;
/** Rounds, of which the middle one counts: what else the machine does meets some of them only. */
const rounds = 7;

/** Searches for a word of every tenth run, for words of one run each, for what is nowhere, within every status and by one or two characters. */
export const search: Measure = {
	name: 'search',
	measure: 'keyword search, common and rare word, p99 at 1,000,000 runs',
	unit: 'ms',
	limit,
	async run() {
		const notes: string[] = [];
		let worst = 0;
		for (const runs of [100_000, 1_000_000]) {
			const { common, rare } = filledStore(runs);
			const kinds: Readonly<Record<string, readonly string[]>> = {
				common: [common, 'stomer', 'CUSTOMER', 'user-7'],
				rare,
				absent: ['nowhere to be found', 'zzz', 'needlezz'],
			};
			for (const [kind, keywords] of Object.entries(kinds)) {
				const p99 = median(Array.from({ length: rounds }, () => quantile(searchTimes(runs, keywords), 0.99)));
				notes.push(`${runs.toLocaleString('en')}: ${kind} word p99 ${p99.toFixed(2)} ms`);
				worst = runs === 1_000_000 ? Math.max(worst, p99) : worst;
			}
			const short = searchTimes(runs, ['qu', '7', 'q~', 'in', 'e']);
			notes.push(`${runs.toLocaleString('en')}: one or two characters p99 ${quantile(short, 0.99).toFixed(2)} ms`);
		}
		return { value: worst, ok: worst <= limit, notes };
	},
};

function searchTimes(runs: number, keywords: readonly string[]): readonly number[] {
	const { store, agent } = filledStore(runs);
	const times: number[] = [];
	for (const keyword of keywords) {
		for (const status of [undefined, 'succeeded', 'failed']) {
			for (const page of [0, 3]) {
				const began = performance.now();
				const found = store.search.find(agent, keyword, status, page * 20, 20);
				store.runs.rows(found.seqs);
				times.push(performance.now() - began);
			}
		}
	}
	return times;
}
