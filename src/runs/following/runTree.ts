import type { RunRecord, Runs } from '../runTypes.ts';

/** A run in a tree of forks. */
export interface TreeRun {
	readonly record: RunRecord;
	/** Number of runs that it is a fork of, 0 for the first. */
	readonly depth: number;
}

/** Maximum number of runs in a tree: more can't be surveyed. */
const mostRuns = 200;

/**
 * Returns the runs of the history that a run is a fork of, and all forks of these, each after its parent and oldest first. Returns nothing
 * for a run that has neither.
 */
export function listRunTree(record: RunRecord, runs: Pick<Runs, 'list'>): readonly TreeRun[] {
	const all = runs.list({ connectionId: record.connectionId, agent: record.agent }).toReversed();
	const byId = new Map(all.flatMap(each => (each.runId === undefined ? [] : [[each.runId, each] as const])));
	const forks = Map.groupBy(
		all.filter(({ parent }) => parent !== undefined),
		({ parent }) => parent?.run,
	);
	let root = record;
	const above = new Set([record]);
	for (let next = findParent(record, byId); next && !above.has(next); next = findParent(next, byId)) {
		above.add(next);
		root = next;
	}
	const tree: TreeRun[] = [];
	const seen = new Set<RunRecord>();
	const addRuns = (each: RunRecord, depth: number): void => {
		if (seen.has(each) || tree.length >= mostRuns) {
			return;
		}
		seen.add(each);
		tree.push({ record: each, depth });
		for (const fork of each.runId === undefined ? [] : (forks.get(each.runId) ?? [])) {
			addRuns(fork, depth + 1);
		}
	};
	addRuns(root, 0);
	return tree.length > 1 || record.parent ? tree : [];
}

/** Returns the run that a run is a fork of, if it's in the history. */
export function findParentRun(record: RunRecord, runs: Pick<Runs, 'list'>): RunRecord | undefined {
	const { parent, connectionId, agent } = record;
	return parent && runs.list({ connectionId, agent }).find(({ runId }) => runId === parent.run);
}

function findParent({ parent }: RunRecord, byId: ReadonlyMap<string, RunRecord>): RunRecord | undefined {
	return parent && byId.get(parent.run);
}
