import type { TimelineRow } from './timeline.ts';

/** A node's place in its run: the container around it, and the round of that. */
type BarsNode = Pick<TimelineRow, 'id' | 'nodeId' | 'predecessor' | 'parent' | 'round'>;

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

/** Columns of nodes beside each other, and of bars around them. More share the last: a service can report thousands, each of which would widen all lines after it. */
const mostColumns = 32;

/**
 * Bars before the lines of nodes: `│` for the run and each container around, `┆` for each node that was there before and still goes on at
 * its side. A parallel branch so keeps its column as long as it lasts, and when nothing runs beside a node it stands at the left again.
 * Rounds that run at the same time are told apart by their numbers.
 */
export class RunBars {
	/** Bars of what is inside containers, by their rows; of the run itself under the empty one. */
	readonly #inside = new Map([['', inside]]);
	readonly #lanes = new Map<string, Lanes>();
	/** Where the nodes that run stand, by the ID of their run. */
	readonly #running = new Map<string, { readonly lanes: Lanes; readonly column: number }>();

	/** Bars of a node that begins. */
	start({ id, nodeId = id, predecessor, parent = '', round }: BarsNode): string {
		const key = `${parent} ${round ?? ''}`;
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
		return this.#bars(parent, column);
	}

	/** Bars of a node that has begun, or whose beginning was not seen. */
	of({ id, parent = '' }: BarsNode): string {
		return this.#bars(parent, this.#running.get(id)?.column ?? 0);
	}

	/** Bars of a node that ends. */
	end(node: BarsNode): string {
		const bars = this.of(node);
		const place = this.#running.get(node.id);
		place?.lanes.taken.delete(place.column);
		this.#running.delete(node.id);
		return bars;
	}

	/** Lets nodes come inside a node, which is a container from now on. */
	open({ id }: BarsNode, bars: string): void {
		this.#inside.set(id, bars.length < mostColumns * inside.length ? bars + inside : bars);
	}

	/** Bars of a container's own lines that are inside it. */
	inside(node: BarsNode): string {
		return this.#inside.get(node.id) ?? this.of(node) + inside;
	}

	#bars(container: string, column: number): string {
		return (this.#inside.get(container) ?? inside) + beside.repeat(column);
	}
}
