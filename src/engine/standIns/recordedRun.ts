import { getField, toFields } from '#base/records/plainValues.ts';
import type { ExecutionPlace } from '../run/execution.ts';
import { replaceMember } from '../variables/replaced.ts';

type Values = Readonly<Record<string, unknown>>;

/** A node that succeeded, or whose error strategy continued, as recorded. */
export interface RecordedNode {
	readonly status: 'succeeded' | 'exception';
	readonly outputs: Values;
	/** What it cost, including the nodes inside; absent if nothing. */
	readonly price?: number;
}

/** Items of an iteration, or variables of a loop before each of its iterations. */
interface RecordedRounds {
	readonly items?: readonly unknown[];
	readonly variables: Map<number, Values>;
}

/** A value that a user changed in the debugger. */
interface SetByHand {
	/** Key of the node and place that the value belongs to. */
	readonly key: string;
	readonly variable: string;
	readonly keys: readonly string[];
	readonly value: unknown;
}

/**
 * Node results read from the record of a run. A value that a user set before a node ran counts as an output, because the run continued
 * with it.
 */
export class RecordedRun {
	/** `sys.*`, by name. */
	readonly system: Values;
	readonly #byHand = new Map<string, Values>();
	readonly #nodes = new Map<string, RecordedNode>();
	readonly #failures = new Map<string, string>();
	readonly #rounds = new Map<string, RecordedRounds>();
	readonly #begun = new Set<string>();
	/** Prices of the nodes inside of containers, by container ID. */
	readonly #innerPrices = new Map<string, number>();

	/**
	 * @param events as JSON strings, in order
	 * @param until the node whose input values are wanted; values set after it ran are ignored. Default: all values are wanted
	 */
	constructor(events: Iterable<string>, until?: { readonly node: string; readonly place: ExecutionPlace }) {
		const rounds = this.#rounds;
		const last = until && toPositionKey(until.node, until.place);
		let set: readonly SetByHand[] = [];
		const applyPendingChanges = () => {
			for (const each of set) {
				this.#applyChange(each);
			}
			set = [];
		};
		let system: Values = {};
		for (const text of events) {
			const event: unknown = JSON.parse(text);
			const data = toFields(getField(event, 'data'));
			const key = toPositionKey(String(data['node_id']), data as ExecutionPlace);
			if (getField(event, 'event') === 'variable_set') {
				set = [...set, ...this.#toChanges(data)];
				continue;
			}
			if (key === last) {
				applyPendingChanges();
			}
			switch (getField(event, 'event')) {
				case 'workflow_started':
					system = pickSystemValues(toFields(data['inputs']));
					break;
				case 'node_started':
					this.#begun.add(key);
					break;
				case 'iteration_started':
				case 'loop_started':
					this.#begun.add(key);
					rounds.set(key, toRecordedIterations(toFields(data['inputs'])));
					break;
				case 'loop_next':
					rounds.get(key)?.variables.set(Number(data['index']), toFields(data['pre_loop_output']));
					break;
				case 'node_finished':
				case 'iteration_completed':
				case 'loop_completed':
					// a node that ran again has new outputs
					set = set.filter(each => each.key !== key);
					this.#recordNodeEnd(key, data);
					break;
				default:
			}
		}
		if (last === undefined || !this.#begun.has(last)) {
			applyPendingChanges();
		}
		this.system = system;
	}

	/** Yields the IDs and results of the nodes that finished in a place. */
	*listNodesIn(place: ExecutionPlace): Iterable<readonly [string, RecordedNode]> {
		for (const [key, node] of this.#nodes) {
			const [id, ...rest] = JSON.parse(key) as [string, ...unknown[]];
			if (JSON.stringify([id, ...rest]) === toPositionKey(id, place)) {
				yield [id, node];
			}
		}
	}

	/** True if the run reached a node. */
	hasNodeStarted(id: string, place: ExecutionPlace): boolean {
		return this.#begun.has(toPositionKey(id, place));
	}

	/** Returns the result of a finished node. */
	getNode(id: string, place: ExecutionPlace): RecordedNode | undefined {
		const found = this.#nodes.get(toPositionKey(id, place));
		// records only name the innermost container of each kind, so only containers outside of others can be told apart
		const inner = place.iteration_id === undefined && place.loop_id === undefined ? this.#innerPrices.get(id) : undefined;
		return found && inner ? { ...found, price: (found.price ?? 0) + inner } : found;
	}

	/** Returns the error message of a node that failed or was stopped. */
	getFailure(id: string, place: ExecutionPlace): string | undefined {
		return this.#failures.get(toPositionKey(id, place));
	}

	/** Returns the number of iterations of a container that were recorded. */
	getIterationCount(container: string, place: ExecutionPlace): number {
		const rounds = this.#rounds.get(toPositionKey(container, place));
		return rounds?.items?.length ?? rounds?.variables.size ?? 0;
	}

	/** Returns the variables of a node that a user changed, with their values; empty if there are none. */
	getSetByHand(id: string, place: ExecutionPlace): Values {
		return this.#byHand.get(toPositionKey(id, place)) ?? {};
	}

	/** Returns the values that nodes see in an iteration of a container; undefined if the record has no such iteration. */
	getIterationValues(container: string, place: ExecutionPlace, index: number): Values | undefined {
		const rounds = this.#rounds.get(toPositionKey(container, place));
		if (rounds?.items) {
			return index < rounds.items.length ? { item: rounds.items[index], index } : undefined;
		}
		return rounds?.variables.get(index);
	}

	/** Returns the changed output of a node; undefined for other variables and for agents used as tools. */
	#toChanges({ selector, value, agent, iteration_id, iteration_index, loop_id, loop_index }: Values): readonly SetByHand[] {
		const [node, variable, ...keys] = Array.isArray(selector) ? selector.map(String) : [];
		if (node === undefined || variable === undefined || agent !== undefined) {
			return [];
		}
		// the value may come from this level or from an enclosing one
		const iteration = { iteration_id, iteration_index } as ExecutionPlace;
		const loop = { loop_id, loop_index } as ExecutionPlace;
		const owner = [{ ...iteration, ...loop }, iteration, loop, {}]
			.map(place => toPositionKey(node, place))
			.find(key => this.#nodes.has(key));
		return owner === undefined ? [] : [{ key: owner, variable, keys, value }];
	}

	#applyChange({ key, variable, keys, value }: SetByHand): void {
		const node = this.#nodes.get(key);
		if (node) {
			const changed = { [variable]: replaceMember(node.outputs[variable], keys, value) };
			this.#nodes.set(key, { ...node, outputs: { ...node.outputs, ...changed } });
			this.#byHand.set(key, { ...this.#byHand.get(key), ...changed });
		}
	}

	#recordNodeEnd(key: string, data: Values): void {
		this.#byHand.delete(key);
		const status = data['status'] ?? 'succeeded';
		const price = readPrice(data);
		for (const container of [data['iteration_id'], data['loop_id']]) {
			if (typeof container === 'string' && price > 0) {
				this.#innerPrices.set(container, (this.#innerPrices.get(container) ?? 0) + price);
			}
		}
		if (status === 'succeeded' || status === 'exception') {
			this.#nodes.set(key, { status, outputs: toFields(data['outputs']), ...(price > 0 && { price }) });
		} else {
			this.#failures.set(key, String(data['error'] ?? status));
		}
	}
}

/** Returns a key of a node's place in events, which only name the innermost container of each kind. */
function toPositionKey(id: string, { iteration_id, iteration_index, loop_id, loop_index }: ExecutionPlace): string {
	return JSON.stringify([id, iteration_id ?? null, iteration_index ?? null, loop_id ?? null, loop_index ?? null]);
}

function pickSystemValues(inputs: Values): Values {
	return Object.fromEntries(Object.entries(inputs).flatMap(([name, value]) => (name.startsWith('sys.') ? [[name.slice(4), value]] : [])));
}

function toRecordedIterations({ iterator_selector: items, loop_count: _, ...variables }: Values): RecordedRounds {
	return Array.isArray(items) ? { items, variables: new Map() } : { variables: new Map([[0, variables]]) };
}

/** Returns what a node cost when it last ran, also if that was in an earlier run. */
function readPrice({ execution_metadata: metadata, saved_price: saved }: Values): number {
	return Math.max(Number(getField(metadata, 'total_price') ?? 0) || 0, Number(saved ?? 0) || 0);
}
