import type { TimelineRow } from './timeline.ts';

/** Tolerance in milliseconds. Times are rounded, so a node can seem to start before its predecessor ended. */
const toleranceMs = 3;

/**
 * Returns the IDs of the rows on the critical path: from the node that ended last back through each predecessor (the one named by the
 * service, or the one that ended last before it started). Does the same inside each iteration and loop on the path.
 */
export function findCriticalRows(rows: readonly TimelineRow[]): Set<string> {
	const children = new Map<string | undefined, TimelineRow[]>();
	for (const row of rows) {
		if (row.nodeId !== undefined && row.end !== undefined) {
			const siblings = children.get(row.parent);
			if (siblings) {
				siblings.push(row);
			} else {
				children.set(row.parent, [row]);
			}
		}
	}
	const marked = new Set<string>();
	const scopes: (string | undefined)[] = [undefined];
	for (let scope = 0; scope < scopes.length; scope++) {
		for (const row of findCriticalChain(children.get(scopes[scope]) ?? [])) {
			marked.add(row.id);
			scopes.push(row.id);
		}
	}
	return marked;
}

function findCriticalChain(siblings: readonly TimelineRow[]): TimelineRow[] {
	const byEnd = siblings.toSorted((a, b) => getRowEnd(a) - getRowEnd(b));
	const places = new Map(byEnd.map((row, place) => [row.id, place]));
	const byNode = new Map<string, TimelineRow>();
	for (const row of byEnd) {
		byNode.set(createPositionKey(row.nodeId, row.round), row);
	}
	const chain: TimelineRow[] = [];
	let place = byEnd.length - 1;
	// each step moves to a node that ended earlier, so the loop terminates
	while (place >= 0) {
		const row = byEnd[place] as TimelineRow;
		chain.push(row);
		const named = row.predecessor === undefined ? undefined : byNode.get(createPositionKey(row.predecessor, row.round));
		const namedPlace = named ? (places.get(named.id) ?? -1) : -1;
		if (namedPlace >= 0 && namedPlace < place) {
			place = namedPlace;
			continue;
		}
		do {
			place--;
		} while (place >= 0 && getRowEnd(byEnd[place] as TimelineRow) > row.start + toleranceMs);
	}
	return chain;
}

function getRowEnd(row: TimelineRow): number {
	return row.end ?? row.start;
}

function createPositionKey(nodeId: string | undefined, round: number | undefined): string {
	return `${round ?? ''}/${nodeId ?? ''}`;
}
