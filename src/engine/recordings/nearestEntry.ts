import type { RecordingPlace } from '#contract/recordings/recordings.ts';
import type { RecordingDocument } from '#contract/recordings/scanRecording.ts';
import { type Difference, findDifference } from './requestKey.ts';

/** Maximum number of entries that a request without an entry is compared with. */
const mostCompared = 50;
/** Maximum characters of these entries, which are parsed one after another. */
const mostComparedText = 100_000;

/** A request that no entry matches, and the node that sends it. */
interface MissedRequest {
	readonly request: unknown;
	readonly place: RecordingPlace;
	readonly node: string;
}

/**
 * Returns the entry whose request has the most values in common with a request, and their first difference; undefined if there is none.
 * Prefers entries of the same node and case.
 * @param entries those with the same kind of request @param readRequest returns the request of an entry, and throws if it's damaged
 */
export function findNearestEntry<T extends RecordingDocument>(
	entries: readonly T[],
	{ request, place, node }: MissedRequest,
	readRequest: (entry: T) => unknown,
): ({ readonly entry: T } & Difference) | undefined {
	const inCase = entries.filter(each => each.case === place.case && each.row === place.row);
	const ofNode = (inCase.length > 0 ? inCase : entries).filter(each => each.node === node);
	const compared = [ofNode, inCase, entries].find(({ length }) => length > 0) ?? [];
	let best: { readonly entry: T; readonly recorded: unknown; readonly equal: number } | undefined;
	let left = mostComparedText;
	for (const entry of compared.slice(0, mostCompared)) {
		left -= entry.text.length;
		if (left < 0) {
			break;
		}
		try {
			const recorded = readRequest(entry);
			const equal = countEqual(recorded, request);
			best = best && best.equal >= equal ? best : { entry, recorded, equal };
		} catch {
			// a damaged entry isn't compared
		}
	}
	const difference = best && findDifference(best.recorded, request);
	return best && difference && { entry: best.entry, ...difference };
}

function countEqual(left: unknown, right: unknown): number {
	if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
		return Number(left === right);
	}
	return Object.entries(right).reduce(
		(sum, [name, value]) => sum + (Object.hasOwn(left, name) ? countEqual((left as Readonly<Record<string, unknown>>)[name], value) : 0),
		0,
	);
}
