/** A changed range of lines: `from` to `to` (exclusive) of the text before are replaced by `lines`. */
export interface LineChange {
	readonly from: number;
	readonly to: number;
	readonly lines: readonly string[];
}

/** Maximum number of inserted and deleted lines to find. Texts that differ more count as changed as a whole. */
const mostEdits = 400;

/** Returns the changed ranges between two texts in order. Ranges with at most one equal line between them count as one. */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
	const most = Math.min(before.length, after.length);
	let start = 0;
	while (start < most && before[start] === after[start]) {
		start++;
	}
	let end = 0;
	while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) {
		end++;
	}
	const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
	const changes: LineChange[] = [];
	// equal pairs, and one beyond the end that closes the last change
	let [x, y] = [0, 0];
	for (const [nextX, nextY] of [...findEqualLines(old, fresh), [old.length, fresh.length] as const]) {
		if (nextX > x || nextY > y) {
			changes.push({ from: start + x, to: start + nextX, lines: fresh.slice(y, nextY) });
		}
		[x, y] = [nextX + 1, nextY + 1];
	}
	return joinNearChanges(before, changes);
}

function joinNearChanges(before: readonly string[], changes: readonly LineChange[]): LineChange[] {
	const joined: LineChange[] = [];
	for (const change of changes) {
		const last = joined.at(-1);
		if (last && change.from - last.to <= 1) {
			joined[joined.length - 1] = {
				from: last.from,
				to: change.to,
				lines: [...last.lines, ...before.slice(last.to, change.from), ...change.lines],
			};
		} else {
			joined.push(change);
		}
	}
	return joined;
}

/** Finds the pairs of equal lines on a shortest path of edits (Myers, "An O(ND) Difference Algorithm", 1986). */
function findEqualLines(old: readonly string[], fresh: readonly string[]): (readonly [number, number])[] {
	const furthest = new Map<number, number>([[1, 0]]);
	const steps: ReadonlyMap<number, number>[] = [];
	for (let edits = 0; edits <= Math.min(old.length + fresh.length, mostEdits); edits++) {
		steps.push(new Map(furthest));
		for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
			let x = getNextStart(furthest, diagonal, edits);
			while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) {
				x++;
			}
			furthest.set(diagonal, x);
			if (x >= old.length && x - diagonal >= fresh.length) {
				return traceEqualLines(steps, old.length, fresh.length);
			}
		}
	}
	return [];
}

function getNextStart(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
	const [down, right] = [furthest.get(diagonal + 1) ?? -1, furthest.get(diagonal - 1) ?? -1];
	return diagonal === -edits || (diagonal !== edits && right < down) ? down : right + 1;
}

function traceEqualLines(steps: readonly ReadonlyMap<number, number>[], endX: number, endY: number): (readonly [number, number])[] {
	const pairs: (readonly [number, number])[] = [];
	let [x, y] = [endX, endY];
	for (let edits = steps.length - 1; edits >= 0; edits--) {
		const furthest = steps[edits]!;
		const startX = getNextStart(furthest, x - y, edits);
		const startY = startX - (x - y);
		while (x > startX && y > startY) {
			pairs.push([--x, --y]);
		}
		if (edits > 0) {
			const isDown = startX === (furthest.get(x - y + 1) ?? -1);
			[x, y] = isDown ? [startX, startY - 1] : [startX - 1, startY];
		}
	}
	return pairs.reverse();
}
