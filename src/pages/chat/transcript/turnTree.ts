import type { Transcript, Turn } from './transcript.ts';

/** Place of a turn among those with the same parent, from 0, oldest first. */
export interface BranchPlace {
	readonly index: number;
	readonly count: number;
}

/** The turns from the first to `leaf`: what is shown and what is sent. */
export function activePath(transcript: Pick<Transcript, 'turns' | 'leaf'>, leaf = transcript.leaf): Turn[] {
	const byId = new Map(transcript.turns.map(turn => [turn.id, turn]));
	const path: Turn[] = [];
	for (let turn = leaf === null ? undefined : byId.get(leaf); turn; turn = turn.parent === null ? undefined : byId.get(turn.parent)) {
		path.push(turn);
		// a file edited by hand could close a circle
		byId.delete(turn.id);
	}
	return path.reverse();
}

/** For each turn its place among its siblings, in one pass. */
export function branchPlaces(turns: readonly Turn[]): Map<string, BranchPlace> {
	const siblings = Map.groupBy(turns, turn => turn.parent);
	const places = new Map<string, BranchPlace>();
	for (const group of siblings.values()) {
		for (const [index, turn] of group.entries()) {
			places.set(turn.id, { index, count: group.length });
		}
	}
	return places;
}

/** The sibling `offset` steps away, or undefined past either end. */
export function siblingOf(turns: readonly Turn[], id: string, offset: number): Turn | undefined {
	const turn = turns.find(t => t.id === id);
	if (!turn) {
		return undefined;
	}
	const group = turns.filter(t => t.parent === turn.parent);
	return group[group.indexOf(turn) + offset];
}

/** The last turn below this one, along the youngest child each time. */
export function newestLeafBelow(turns: readonly Turn[], id: string): string {
	let leaf = id;
	for (let child = youngestChild(turns, leaf); child; child = youngestChild(turns, leaf)) {
		leaf = child.id;
	}
	return leaf;
}

function youngestChild(turns: readonly Turn[], id: string): Turn | undefined {
	return turns.findLast(turn => turn.parent === id);
}
