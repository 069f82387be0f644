import type { Transcript, Turn } from './transcript.ts';

/** Position of a turn among its siblings, from 0, oldest first. */
export interface BranchPlace {
	readonly index: number;
	readonly count: number;
}

/** Returns the turns from the first to `leaf`, which are shown and sent. */
export function getActivePath(transcript: Pick<Transcript, 'turns' | 'leaf'>, leaf = transcript.leaf): Turn[] {
	const byId = new Map(transcript.turns.map(turn => [turn.id, turn]));
	const path: Turn[] = [];
	for (let turn = leaf === null ? undefined : byId.get(leaf); turn; turn = turn.parent === null ? undefined : byId.get(turn.parent)) {
		path.push(turn);
		// a file edited by hand could contain a cycle
		byId.delete(turn.id);
	}
	return path.reverse();
}

/** Returns the position of each turn among its siblings. */
export function getBranchPositions(turns: readonly Turn[]): Map<string, BranchPlace> {
	const siblings = Map.groupBy(turns, turn => turn.parent);
	const places = new Map<string, BranchPlace>();
	for (const group of siblings.values()) {
		for (const [index, turn] of group.entries()) {
			places.set(turn.id, { index, count: group.length });
		}
	}
	return places;
}

/** Returns the sibling `offset` steps away; `undefined` past either end. */
export function findSibling(turns: readonly Turn[], id: string, offset: number): Turn | undefined {
	const turn = turns.find(t => t.id === id);
	if (!turn) {
		return undefined;
	}
	const group = turns.filter(t => t.parent === turn.parent);
	return group[group.indexOf(turn) + offset];
}

/** Returns the last turn below this one, following the newest child. */
export function findNewestLeaf(turns: readonly Turn[], id: string): string {
	const newest = new Map(turns.map(turn => [turn.parent, turn.id]));
	let leaf = id;
	// an imported file could contain a cycle
	const seen = new Set<string>();
	for (let child = newest.get(leaf); child !== undefined && !seen.has(child); child = newest.get(leaf)) {
		leaf = child;
		seen.add(leaf);
	}
	return leaf;
}
