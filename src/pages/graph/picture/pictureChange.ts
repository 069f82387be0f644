import type { AgentPicture } from './graphTypes.ts';

/** A part of a list: a range of the previous list, or new items. */
type ListPiece<Item> = { readonly from: number; readonly count: number } | { readonly items: readonly Item[] };

/** The difference between two pictures: each list as a sequence of parts. */
export interface PictureChange extends Pick<AgentPicture, 'x' | 'y' | 'width' | 'height'> {
	readonly nodes: readonly ListPiece<AgentPicture['nodes'][number]>[];
	readonly edges: readonly ListPiece<AgentPicture['edges'][number]>[];
	readonly loose: readonly ListPiece<AgentPicture['loose'][number]>[];
	readonly notes: readonly ListPiece<AgentPicture['notes'][number]>[];
	readonly placed: readonly ListPiece<string>[];
}

/** Computes the change between two pictures. Items are compared by identity. */
export function diffPictures(before: AgentPicture, { x, y, width, height, ...now }: AgentPicture): PictureChange {
	return {
		...{ x, y, width, height },
		nodes: diffLists(before.nodes, now.nodes),
		edges: diffLists(before.edges, now.edges),
		loose: diffLists(before.loose, now.loose),
		notes: diffLists(before.notes, now.notes),
		placed: diffLists(before.placed, now.placed),
	};
}

/** Applies a change. Unchanged items, lists and pictures stay the same objects. */
export function applyPictureChange(before: AgentPicture, { x, y, width, height, ...change }: PictureChange): AgentPicture {
	const now = {
		...{ x, y, width, height },
		nodes: applyListChange(before.nodes, change.nodes),
		edges: applyListChange(before.edges, change.edges),
		loose: applyListChange(before.loose, change.loose),
		notes: applyListChange(before.notes, change.notes),
		placed: applyListChange(before.placed, change.placed),
	};
	return Object.entries(now).every(([name, value]) => before[name as keyof AgentPicture] === value) ? before : now;
}

function diffLists<Item>(before: readonly Item[], now: readonly Item[]): readonly ListPiece<Item>[] {
	const pieces: ({ from: number; count: number } | { items: Item[] })[] = [];
	let places: Map<Item, number> | undefined;
	// index of the item in the previous list that would continue the current part
	let next = 0;
	for (const item of now) {
		if (before[next] !== item || next >= before.length) {
			places ??= new Map(before.map((each, at) => [each, at]));
			next = places.get(item) ?? -1;
		}
		const last = pieces.at(-1);
		if (next < 0) {
			if (last && 'items' in last) {
				last.items.push(item);
			} else {
				pieces.push({ items: [item] });
			}
			next = 0;
		} else {
			if (last && 'from' in last && last.from + last.count === next) {
				last.count++;
			} else {
				pieces.push({ from: next, count: 1 });
			}
			next++;
		}
	}
	return pieces;
}

function applyListChange<Item>(before: readonly Item[], pieces: readonly ListPiece<Item>[]): readonly Item[] {
	const [first, ...others] = pieces;
	const isWhole =
		others.length === 0 && (first ? 'from' in first && first.from === 0 && first.count === before.length : before.length === 0);
	return isWhole ? before : pieces.flatMap(piece => ('items' in piece ? piece.items : before.slice(piece.from, piece.from + piece.count)));
}
