/** What is said of a node's place: the container around it, and the round of that. */
export interface BarsNode {
	/** The run of the node: `data.id` of its events. */
	readonly id: string;
	readonly nodeId: string;
	readonly predecessor: string | undefined;
	readonly container: string | undefined;
	/** Counts from 0; absent where the service does not say it. */
	readonly round: number | undefined;
}

/** Nodes that can run beside each other: those of the run itself, or those of one round of a container. */
interface Lanes {
	/** Columns that are taken now. */
	readonly taken: Set<number>;
	/** Column that each node had, by its node ID, as long as something ran beside it. */
	readonly columns: Map<string, number>;
}

/** Bar of what goes on inside something, and of what goes on beside something. */
const inside = '│ ';
const beside = '┆ ';

/**
 * Bars before the lines of nodes: `│` for the run and each container around, `┆` for each node that was there before and still goes on at
 * its side. A parallel branch so keeps its column as long as it lasts, and when nothing runs beside a node it stands at the left again.
 * Rounds that run at the same time are told apart by their numbers.
 */
export class RunBars {
	/** Bars of what is inside containers, by their node ID; of the run itself under the empty one. */
	readonly #inside = new Map([['', inside]]);
	readonly #lanes = new Map<string, Lanes>();
	/** Where the nodes that run stand, by the ID of their run. */
	readonly #running = new Map<string, { readonly lanes: Lanes; readonly column: number }>();

	/** Bars of a node that begins. */
	start({ id, nodeId, predecessor, container = '', round }: BarsNode): string {
		const key = `${container} ${round ?? ''}`;
		const lanes = this.#lanes.get(key) ?? { taken: new Set(), columns: new Map() };
		this.#lanes.set(key, lanes);
		const { taken, columns } = lanes;
		if (taken.size === 0) {
			columns.clear();
		}
		const before = predecessor === undefined ? undefined : columns.get(predecessor);
		let column = before !== undefined && !taken.has(before) ? before : 0;
		while (taken.has(column)) {
			column++;
		}
		taken.add(column);
		columns.set(nodeId, column);
		this.#running.set(id, { lanes, column });
		return this.#bars(container, column);
	}

	/** Bars of a node that has begun, or whose beginning was not seen. */
	of({ id, container = '' }: BarsNode): string {
		return this.#bars(container, this.#running.get(id)?.column ?? 0);
	}

	/** Bars of a node that ends. */
	end(node: BarsNode): string {
		const bars = this.of(node);
		const place = this.#running.get(node.id);
		place?.lanes.taken.delete(place.column);
		this.#running.delete(node.id);
		return bars;
	}

	/** Lets nodes come inside a node, which is its container from now on. Gives the bars of its own lines that are inside too. */
	open(nodeId: string, bars: string): string {
		this.#inside.set(nodeId, bars + inside);
		for (const key of this.#lanes.keys()) {
			if (key.startsWith(`${nodeId} `)) {
				this.#lanes.delete(key);
			}
		}
		return bars + inside;
	}

	#bars(container: string, column: number): string {
		return (this.#inside.get(container) ?? inside) + beside.repeat(column);
	}
}
