import { getWeightWithin } from './weight.ts';

/** Values of one node by variable name. */
type NodeValues = Readonly<Record<string, unknown>>;

/** Values of a pool by node ID. */
type PoolValues = ReadonlyMap<string, NodeValues>;

/** A write to the values of a node. */
interface Write {
	readonly position: number;
	/** The values before the write; `undefined` if there were none. */
	readonly before: NodeValues | undefined;
}

/** The pool and node of a write. */
interface WriteTarget {
	readonly pool: PoolValues;
	readonly node: string;
	/** Weight of the written values in characters. */
	readonly weight: number;
}

/** Weight of a value whose exact weight doesn't matter, because it is too much anyway. */
const enormousWeight = 1_000_000_000;

/**
 * Logs the writes to the variable pools of a run, so that earlier values can be read. Stores references, because values never change in
 * place. Positions count the writes from 0.
 */
export class VariableLog {
	readonly #writes = new WeakMap<PoolValues, Map<string, Write[]>>();
	/** Targets of the logged writes in order. */
	#targets: WriteTarget[] = [];
	#dropped = 0;
	#weight = 0;

	/** Position of the next write. */
	get position(): number {
		return this.#dropped + this.#targets.length;
	}

	/** Total weight of the logged values in characters. */
	get weight(): number {
		return this.#weight;
	}

	/** Logs that a node's values are about to be replaced. */
	addWrite(pool: PoolValues, node: string, values: NodeValues | undefined): void {
		const known = this.#writes.get(pool) ?? new Map<string, Write[]>();
		this.#writes.set(pool, known);
		const write = { position: this.position, before: pool.get(node) };
		const writes = known.get(node);
		if (writes) {
			writes.push(write);
		} else {
			known.set(node, [write]);
		}
		const weight = getWeightWithin(values, enormousWeight) ?? enormousWeight;
		this.#targets.push({ pool, node, weight });
		this.#weight += weight;
	}

	/** Forgets the writes before a position. Values can't be read at earlier positions anymore. */
	dropWritesBefore(position: number): void {
		const count = Math.max(0, position - this.#dropped);
		for (const { pool, node, weight } of this.#targets.slice(0, count)) {
			this.#writes.get(pool)?.get(node)?.shift();
			this.#weight -= weight;
		}
		this.#targets = this.#targets.slice(count);
		this.#dropped += count;
	}

	/** Returns the values of a pool as they were at a position. */
	getValuesAt(pool: PoolValues, position: number): Map<string, NodeValues> {
		const values = new Map<string, NodeValues>();
		const writes = this.#writes.get(pool);
		for (const node of new Set([...pool.keys(), ...(writes?.keys() ?? [])])) {
			const later = findFirstFrom(writes?.get(node) ?? [], position);
			const found = later ? later.before : pool.get(node);
			if (found) {
				values.set(node, found);
			}
		}
		return values;
	}
}

/** Returns the first write at a position or after it. */
function findFirstFrom(writes: readonly Write[], position: number): Write | undefined {
	let low = 0;
	let high = writes.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((writes[middle] as Write).position < position) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return writes[low];
}
