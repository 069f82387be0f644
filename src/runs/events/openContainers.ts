import type { TimelineRow } from './timeline.ts';

/** An iteration or loop that runs. */
interface OpenContainer {
	readonly rowId: string;
	readonly nodeId: string;
	readonly depth: number;
	/** Grows with each container that is opened. */
	readonly order: number;
	/** Round of the container that this one runs in. */
	readonly outerRound: number | undefined;
	/** Round that was told last, from 1. */
	round: number;
}

/** Which part of an event says what it runs in. */
interface Placed {
	readonly iteration_id?: string | null;
	readonly iteration_index?: number;
	readonly loop_id?: string | null;
	readonly loop_index?: number;
}

/** Open containers of one node that are kept, the latest: each event that names the node is compared with all of them. */
const mostOfNode = 100;

/** Iterations and loops that run now, to find the one that a node runs in. */
export class OpenContainers {
	readonly #open = new Map<string, OpenContainer>();
	readonly #ofNode = new Map<string | null | undefined, Set<OpenContainer>>();
	#opened = 0;

	open(row: TimelineRow, nodeId: string): void {
		const { id, parent, round } = row;
		this.close(row);
		const depth = 1 + (parent === undefined ? 0 : (this.#open.get(parent)?.depth ?? 0));
		const container: OpenContainer = { rowId: id, nodeId, depth, order: this.#opened++, outerRound: round, round: 1 };
		this.#open.set(id, container);
		const siblings = this.#ofNode.get(nodeId) ?? new Set();
		this.#ofNode.set(nodeId, siblings.add(container));
		const [oldest] = siblings;
		if (oldest && siblings.size > mostOfNode) {
			this.close({ id: oldest.rowId });
		}
	}

	close({ id }: Pick<TimelineRow, 'id'>): void {
		const container = this.#open.get(id);
		if (container) {
			this.#open.delete(id);
			this.#ofNode.get(container.nodeId)?.delete(container);
		}
	}

	/** A container takes its next round; `index` counts from 0. */
	next(rowId: string, index: number | undefined): void {
		const container = this.#open.get(rowId);
		if (container) {
			container.round = index === undefined ? container.round + 1 : index + 1;
		}
	}

	/** Round that was told last of a container that runs, from 1. */
	roundIn(rowId: string): number | undefined {
		return this.#open.get(rowId)?.round;
	}

	/**
	 * The innermost container that an event names. Where one node runs several times at once, in the rounds of a parallel iteration, the one
	 * of the round that the event names.
	 */
	of({ iteration_id, iteration_index, loop_id, loop_index }: Placed): OpenContainer | undefined {
		let found: OpenContainer | undefined;
		for (const named of [iteration_id, loop_id]) {
			const outerIndex = named === loop_id ? iteration_index : loop_index;
			for (const container of this.#ofNode.get(named) ?? []) {
				const { depth, order, outerRound } = container;
				const elsewhere = outerRound !== undefined && outerIndex !== undefined && outerRound !== outerIndex + 1;
				if (!elsewhere && (!found || depth > found.depth || (depth === found.depth && order > found.order))) {
					found = container;
				}
			}
		}
		return found;
	}
}
