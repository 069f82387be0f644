import type { RunRecord, Runs } from '../runTypes.ts';

/** The runs that repeat each other, and where one of them stands. */
export interface RunChain {
	/** From 1. */
	readonly place: number;
	readonly count: number;
	/** Key of the run before. */
	readonly before?: string;
	/** Key of the run after. */
	readonly after?: string;
}

/** The chain that a run belongs to, oldest first: those that it repeats and that repeat it, as far as the history has them. `undefined` where it is alone. */
export function chainOf(record: RunRecord, runs: Runs): RunChain | undefined {
	const begin = (of: RunRecord): string => {
		let first = of;
		const seen = new Set([of.key]);
		for (let next = runs.get(of.repeats ?? ''); next && !seen.has(next.key); next = runs.get(next.repeats ?? '')) {
			seen.add(next.key);
			first = next;
		}
		return first.key;
	};
	const root = begin(record);
	const keys = runs
		.list({ connectionId: record.connectionId, agent: record.agent })
		.filter(each => begin(each) === root)
		.map(({ key }) => key)
		.reverse();
	const at = keys.indexOf(record.key);
	const [before, after] = [keys[at - 1], keys[at + 1]];
	return at < 0 || keys.length < 2
		? undefined
		: { place: at + 1, count: keys.length, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}
