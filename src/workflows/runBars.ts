/** What is said of a node's place: the container around it, and the round of that. */
export interface BarsNode {
	/** The run of the node: `data.id` of its events. */
	readonly id: string;
	readonly nodeId: string;
	readonly predecessor: string | undefined;
	readonly container: string | undefined;
}

/** Nodes of one level: those of the run itself, or those inside one container. */
interface Level {
	/** Bars of the level's nodes. */
	readonly bars: string;
	/** Column of each node that runs, by the ID of its run. */
	readonly running: Map<string, number>;
	/** Column that each node had, by its node ID, as long as something ran beside it. */
	readonly columns: Map<string, number>;
}

/** Bar of what goes on inside something, and of what goes on beside something. */
const inside = '│ ';
const beside = '┆ ';

/**
 * Bars before the lines of nodes: `│` for the run and each container around, `┆` for each node that was there before and still goes on at
 * its side. A parallel branch so keeps its column as long as it lasts, and when nothing runs beside a node it stands at the left again.
 */
export class RunBars {
	readonly #levels = new Map<string, Level>([['', level(inside)]]);

	/** Bars of a node that begins. */
	start({ id, nodeId, predecessor, container = '' }: BarsNode): string {
		const at = this.#level(container);
		if (at.running.size === 0) {
			at.columns.clear();
		}
		const taken = new Set(at.running.values());
		const before = predecessor === undefined ? undefined : at.columns.get(predecessor);
		let column = before !== undefined && !taken.has(before) ? before : 0;
		while (taken.has(column)) {
			column++;
		}
		at.running.set(id, column);
		at.columns.set(nodeId, column);
		return at.bars + beside.repeat(column);
	}

	/** Bars of a node that has begun, or whose beginning was not seen. */
	of({ id, container = '' }: Pick<BarsNode, 'id' | 'container'>): string {
		const at = this.#level(container);
		return at.bars + beside.repeat(at.running.get(id) ?? 0);
	}

	/** Bars of a node that ends. */
	end(node: Pick<BarsNode, 'id' | 'container'>): string {
		const bars = this.of(node);
		this.#level(node.container ?? '').running.delete(node.id);
		return bars;
	}

	/** Lets nodes come inside a node, which is its container from now on. Gives the bars of its own lines that are inside too. */
	open(nodeId: string, bars: string): string {
		this.#levels.set(nodeId, level(bars + inside));
		return bars + inside;
	}

	#level(container: string): Level {
		return this.#levels.get(container) ?? this.#levels.get('') ?? level(inside);
	}
}

function level(bars: string): Level {
	return { bars, running: new Map(), columns: new Map() };
}
