import type { TimelineRow } from './timeline.ts';

/** An iteration or loop that runs. */
export interface OpenContainer {
	readonly rowId: string;
	readonly nodeId: string;
	readonly depth: number;
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

/** Iterations and loops that run now, to find the one that a node runs in. */
export class OpenContainers {
	readonly #open = new Map<string, OpenContainer>();
	/** Those of each node, in the order in which they began. */
	readonly #ofNodes = new Map<string, Map<string, OpenContainer>>();

	open({ id, parent, round }: TimelineRow, nodeId: string): void {
		const depth = 1 + (parent === undefined ? 0 : (this.#open.get(parent)?.depth ?? 0));
		const container = { rowId: id, nodeId, depth, outerRound: round, round: 1 };
		this.#open.set(id, container);
		this.#ofNodes.set(nodeId, (this.#ofNodes.get(nodeId) ?? new Map<string, OpenContainer>()).set(id, container));
	}

	close({ id }: TimelineRow): void {
		const container = this.#open.get(id);
		if (container) {
			this.#open.delete(id);
			this.#ofNodes.get(container.nodeId)?.delete(id);
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
		for (const container of this.#ofEither(iteration_id, loop_id)) {
			const { nodeId, depth, outerRound } = container;
			const outerIndex = nodeId === loop_id ? iteration_index : loop_index;
			const elsewhere = outerRound !== undefined && outerIndex !== undefined && outerRound !== outerIndex + 1;
			if (!elsewhere && (!found || depth >= found.depth)) {
				found = container;
			}
		}
		return found;
	}

	*#ofEither(...nodes: readonly (string | null | undefined)[]): Generator<OpenContainer> {
		for (const node of new Set(nodes)) {
			yield* this.#ofNodes.get(node ?? '')?.values() ?? [];
		}
	}
}
