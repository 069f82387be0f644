import type { TimelineRow } from './timeline.ts';

/** A running iteration or loop. */
interface OpenContainer {
	readonly rowId: string;
	readonly nodeId: string;
	readonly depth: number;
	/** Number that increases with each opened container. */
	readonly order: number;
	/** Iteration of the surrounding container. */
	readonly outerRound: number | undefined;
	/** Last reported iteration, from 1. */
	round: number;
}

/** Fields of an event that name its container. */
interface Placed {
	readonly iteration_id?: string | null;
	readonly iteration_index?: number;
	readonly loop_id?: string | null;
	readonly loop_index?: number;
}

/**
 * Maximum number of open containers per node, because each event that names the node is compared with all of them. The oldest are dropped.
 */
const mostOfNode = 100;

/** Tracks running iterations and loops to find the one that a node runs in. */
export class OpenContainers {
	readonly #open = new Map<string, OpenContainer>();
	readonly #ofNode = new Map<string | null | undefined, Set<OpenContainer>>();
	#opened = 0;

	openContainer(row: TimelineRow, nodeId: string): void {
		const { id, parent, round } = row;
		this.closeContainer(row);
		const depth = 1 + (parent === undefined ? 0 : (this.#open.get(parent)?.depth ?? 0));
		const container: OpenContainer = { rowId: id, nodeId, depth, order: this.#opened++, outerRound: round, round: 1 };
		this.#open.set(id, container);
		const siblings = this.#ofNode.get(nodeId) ?? new Set();
		this.#ofNode.set(nodeId, siblings.add(container));
		const [oldest] = siblings;
		if (oldest && siblings.size > mostOfNode) {
			this.closeContainer({ id: oldest.rowId });
		}
	}

	closeContainer({ id }: Pick<TimelineRow, 'id'>): void {
		const container = this.#open.get(id);
		if (container) {
			this.#open.delete(id);
			this.#ofNode.get(container.nodeId)?.delete(container);
		}
	}

	/** Starts the next iteration of a container; `index` starts at 0. */
	startIteration(rowId: string, index: number | undefined): void {
		const container = this.#open.get(rowId);
		if (container) {
			container.round = index === undefined ? container.round + 1 : index + 1;
		}
	}

	/** Returns the last reported iteration of a running container, from 1. */
	getIteration(rowId: string): number | undefined {
		return this.#open.get(rowId)?.round;
	}

	/**
	 * Returns the innermost container that an event names. If a node runs several times in parallel iterations, returns the one in the
	 * iteration that the event names.
	 */
	findContainer({ iteration_id, iteration_index, loop_id, loop_index }: Placed): OpenContainer | undefined {
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
