import { quantile } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { filledStore } from './filledStore.ts';

const limit = 5;
const statuses = [undefined, 'succeeded', 'failed', 'stopped'];

/** Pages of 20 and of 100, of every status, from the first to the last. */
export const pages: Measure = {
	name: 'pages',
	measure: 'page of logs, any status, any page, p99 at 1,000,000 runs',
	unit: 'ms',
	limit,
	async run() {
		const small = pageTimes(100_000);
		const large = pageTimes(1_000_000);
		return {
			value: quantile(large, 0.99),
			ok: quantile(large, 0.99) <= limit,
			notes: [
				`at 100,000: p50 ${quantile(small, 0.5).toFixed(2)} ms, p99 ${quantile(small, 0.99).toFixed(2)} ms`,
				`at 1,000,000: p50 ${quantile(large, 0.5).toFixed(2)} ms, worst ${Math.max(...large).toFixed(2)} ms`,
			],
		};
	},
};

function pageTimes(runs: number): readonly number[] {
	const { store, agent } = filledStore(runs);
	const times: number[] = [];
	for (let i = 0; i < 1_000; i++) {
		const status = statuses[i % statuses.length];
		const size = i % 3 === 0 ? 100 : 20;
		const began = performance.now();
		const total = store.runs.count(agent, status);
		const lastPage = Math.ceil(total / size);
		const page = i % 5 === 0 ? lastPage : 1 + Math.floor((((i * 7919) % 1_000) / 1_000) * lastPage);
		const rows = store.runs.page(agent, status, (page - 1) * size, size);
		times.push(performance.now() - began);
		if (rows.length === 0) {
			throw new Error(`page ${page} of ${lastPage} is empty`);
		}
	}
	return times;
}
