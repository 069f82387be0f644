import type { RunRecord, Runs } from '../runTypes.ts';

/** A series of reruns, and the position of one run in it. */
export interface RunChain {
	/** Position of the run in the series, from 1. */
	readonly place: number;
	readonly count: number;
	/** Key of the previous run. */
	readonly before?: string;
	/** Key of the next run. */
	readonly after?: string;
}

/** Returns the runs in the history that are reruns of each other and include this run, oldest first; `undefined` if there are no others. */
export function findRunChain(record: RunRecord, runs: Runs): RunChain | undefined {
	const findFirstRunKey = (of: RunRecord): string => {
		let first = of;
		const seen = new Set([of.key]);
		for (let next = runs.get(of.repeats ?? ''); next && !seen.has(next.key); next = runs.get(next.repeats ?? '')) {
			seen.add(next.key);
			first = next;
		}
		return first.key;
	};
	const root = findFirstRunKey(record);
	const keys = runs
		.list({ connectionId: record.connectionId, agent: record.agent })
		.filter(each => findFirstRunKey(each) === root)
		.map(({ key }) => key)
		.reverse();
	const at = keys.indexOf(record.key);
	const [before, after] = [keys[at - 1], keys[at + 1]];
	return at < 0 || keys.length < 2
		? undefined
		: { place: at + 1, count: keys.length, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}
