import type { TimelineRow } from './timeline.ts';

/** Position of a node in its run: the surrounding container and its iteration. */
type BarsNode = Pick<TimelineRow, 'id' | 'nodeId' | 'predecessor' | 'parent' | 'round'>;

/** Nodes that can run in parallel: those of the run itself, or those of one iteration of a container. */
interface Lanes {
	/** Columns in use. */
	readonly taken: Set<number>;
	/** Column of each node, by node ID, while other nodes run in parallel. */
	readonly columns: Map<string, number>;
}

/** Bar of a surrounding container, and of a parallel branch. */
const inside = '│ ';
const beside = '┆ ';

/**
 * Maximum number of columns. Further branches share the last one, because a service can report thousands and each would widen all later
 * lines.
 */
const mostColumns = 32;
/** Maximum number of running nodes, containers and groups of parallel nodes to track. Further nodes get the bars of their container. */
const mostTracked = 10_000;

/**
 * Draws the bars before the lines of nodes: `│` for the run and each surrounding container, `┆` for each node that started earlier and
 * still runs in parallel. A parallel branch keeps its column while it lasts; a node without parallel nodes is at the left again. Iterations
 * that run at the same time are distinguished by their numbers.
 */
export class RunBars {
	/** Bars inside each container, by row ID. The run itself has an empty ID. */
	readonly #inside = new Map([['', inside]]);
	readonly #lanes = new Map<string, Lanes>();
	/** Columns of the running nodes, by execution ID. */
	readonly #running = new Map<string, { readonly lanes: Lanes; readonly column: number }>();

	/** Returns the bars of a node that starts. */
	startNode({ id, nodeId = id, predecessor, parent = '', round }: BarsNode): string {
		const key = `${parent} ${round ?? ''}`;
		if (this.#running.size >= mostTracked || (this.#lanes.size >= mostTracked && !this.#lanes.has(key))) {
			return this.#formatBars(parent, 0);
		}
		const lanes = this.#lanes.get(key) ?? { taken: new Set(), columns: new Map() };
		this.#lanes.set(key, lanes);
		const { taken, columns } = lanes;
		if (taken.size === 0) {
			columns.clear();
		}
		const before = predecessor === undefined ? undefined : columns.get(predecessor);
		let column = before !== undefined && !taken.has(before) ? before : 0;
		while (taken.has(column) && column < mostColumns) {
			column++;
		}
		taken.add(column);
		columns.set(nodeId, column);
		this.#running.set(id, { lanes, column });
		return this.#formatBars(parent, column);
	}

	/** Returns the bars of a node that has started, or whose start was missed. */
	getNodeBars({ id, parent = '' }: BarsNode): string {
		return this.#formatBars(parent, this.#running.get(id)?.column ?? 0);
	}

	/** Returns the bars of a node that ends. */
	endNode(node: BarsNode): string {
		const bars = this.getNodeBars(node);
		const place = this.#running.get(node.id);
		place?.lanes.taken.delete(place.column);
		this.#running.delete(node.id);
		return bars;
	}

	/** Makes a node a container, so that nodes can start inside it. */
	openContainer({ id }: BarsNode, bars: string): void {
		if (this.#inside.size >= mostTracked) {
			return;
		}
		this.#inside.set(id, bars.length < mostColumns * inside.length ? bars + inside : bars);
	}

	/** Returns the bars of lines that a container reports inside itself. */
	getInnerBars(node: BarsNode): string {
		return this.#inside.get(node.id) ?? this.getNodeBars(node) + inside;
	}

	#formatBars(container: string, column: number): string {
		return (this.#inside.get(container) ?? inside) + beside.repeat(column);
	}
}
