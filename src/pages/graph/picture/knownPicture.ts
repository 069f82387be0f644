import { isDeepEqual } from '#base/records/plainValues.ts';
import { NodeDrafts } from '../cards/nodeDrafts.ts';
import { KnownPlaces } from '../layout/knownPlaces.ts';
import type { AgentPicture } from './graphTypes.ts';

/**
 * Reuses parts of the previous picture of a file, so that a keystroke in a large file costs little and unchanged parts can be recognized by
 * identity.
 */
export class KnownPicture {
	readonly drafts = new NodeDrafts();
	readonly places = new KnownPlaces();
	#last: AgentPicture | undefined;

	/** Returns the picture with all unchanged parts replaced by the objects of the previous one. */
	reuseParts(picture: AgentPicture): AgentPicture {
		const before = this.#last;
		this.#last = before
			? {
					...picture,
					nodes: reuseItems(before.nodes, picture.nodes, ({ id }) => id),
					edges: reuseItems(before.edges, picture.edges, ({ source, handle, target }) => `${source}\n${handle}\n${target}`),
					loose: reuseItems(before.loose, picture.loose, ({ source, handle, target }) => `${source}\n${handle}\n${target}`),
					notes: reuseItems(before.notes, picture.notes, ({ id }) => id),
				}
			: picture;
		return this.#last;
	}
}

function reuseItems<Item>(before: readonly Item[], now: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
	let byKey: Map<string, Item> | undefined;
	return now.map((item, at) => {
		let old = before[at];
		if (old === undefined || keyOf(old) !== keyOf(item)) {
			byKey ??= new Map(before.map(each => [keyOf(each), each]));
			old = byKey.get(keyOf(item));
		}
		return old !== undefined && isDeepEqual(old, item) ? old : item;
	});
}
