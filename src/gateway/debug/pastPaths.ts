import type { Graph } from '#engine/agentFile/agentTypes.ts';
import type { GateLevel } from '#engine/run/gate.ts';
import { getAgentName } from './branches.ts';
import type { DebugHistory, HistoryEntry, PastBranch } from './history.ts';

/**
 * Returns the number of the entry that a step back from a branch leads to: the node before it on its path, or the node around it. For a
 * running or failed node, this is its own start. `undefined` if there is none.
 * @param before only earlier entries are considered
 */
export function findPreviousEntry(history: DebugHistory, branch: PastBranch, before: number): number | undefined {
	const { id, level, predecessor, state, origin } = branch;
	const findLast = (isMatch: (entry: HistoryEntry) => boolean) => {
		for (let number = before - 1; number >= history.first; number--) {
			const entry = history.getEntry(number);
			if (!entry.failure && isMatch(entry)) {
				return number;
			}
		}
		return undefined;
	};
	if (state !== 'standing') {
		return findLast(entry => entry.branch.origin === origin);
	}
	const { around } = level;
	const isIterationOf = (other: GateLevel) =>
		other !== level && around !== undefined && other.around?.level === around.level && other.around.node === around.node;
	return (
		findLast(entry => entry.branch.level === level && entry.branch.node.id === predecessor && entry.branch.origin !== origin) ??
		// the first node of an iteration comes after the iteration before, if that ran on the same branch
		findLast(entry => entry.branch.id === id && isIterationOf(entry.branch.level)) ??
		findLast(entry => around !== undefined && entry.branch.level === around.level && entry.branch.node.id === around.node.id)
	);
}

/**
 * Returns the number of the entry that a step over a branch leads to: the next node on its path, or else what came next when its node had finished.
 * `undefined` if there is none yet.
 * @param after only later entries are considered
 */
export function findNextEntry(history: DebugHistory, { id, level, node, origin }: PastBranch, after: number): number | undefined {
	let first: number | undefined;
	let finished: number | undefined;
	for (let number = Math.max(after + 1, history.first); number < history.length; number++) {
		const { branch, branches } = history.getEntry(number);
		if (branch.level === level && branch.predecessor === node.id && branch.state === 'standing') {
			if (branch.id === id) {
				return number;
			}
			first ??= number;
		}
		finished ??= branches.some(each => each.origin === origin) ? undefined : number;
	}
	return first ?? finished;
}

/** Returns the number of the first entry inside the node of a branch. */
export function findInnerEntry(history: DebugHistory, branch: PastBranch, after: number): number | undefined {
	const next = findNextEntry(history, branch, after);
	for (let number = Math.max(after + 1, history.first); number < (next ?? history.length); number++) {
		const entry = history.getEntry(number);
		if (!entry.failure && isInside(entry.branch, branch)) {
			return number;
		}
	}
	return undefined;
}

/** Returns the nodes whose first entry comes after one, with the agents that run as tools. */
export function listLaterNodes(history: DebugHistory, position: number): readonly { readonly node: string; readonly agent?: string }[] {
	const earlier = new Map<Graph, Set<string>>();
	const later: { readonly node: string; readonly agent?: string }[] = [];
	for (let number = history.first; number < history.length; number++) {
		const {
			branch: { level, node },
		} = history.getEntry(number);
		const known = earlier.get(level.graph) ?? new Set<string>();
		earlier.set(level.graph, known);
		if (!known.has(node.id) && number > position) {
			const agent = getAgentName(level);
			later.push({ node: node.id, ...(agent !== undefined && { agent }) });
		}
		known.add(node.id);
	}
	return later;
}

/** Returns the branch of the node that contains a level, if any. */
export function findOuterBranch({ branches }: HistoryEntry, { around }: GateLevel): PastBranch | undefined {
	return around && branches.find(({ level, node }) => level === around.level && node.id === around.node.id);
}

/** True if a branch is inside the node of another one. */
export function isInside(branch: PastBranch, { level, node }: PastBranch): boolean {
	for (let around = branch.level.around; around; around = around.level.around) {
		if (around.level === level && around.node.id === node.id) {
			return true;
		}
	}
	return false;
}
