import { fieldOf, fieldsOf } from '#base/records/plainValues.ts';
import type { ExecutionPlace } from '../run/execution.ts';
import { replaced } from '../variables/replaced.ts';

type Values = Readonly<Record<string, unknown>>;

/** A node that has ended well, or whose strategy went on, as its run's record tells it. */
export interface RecordedNode {
	readonly status: 'succeeded' | 'exception';
	readonly outputs: Values;
}

/** Items of an iteration, or variables of a loop before each of its rounds. */
interface RecordedRounds {
	readonly items?: readonly unknown[];
	readonly variables: Map<number, Values>;
}

/** A value that somebody changed in a debugger. */
interface SetByHand {
	/** Node that has put it out, and where. */
	readonly key: string;
	readonly variable: string;
	readonly keys: readonly string[];
	readonly value: unknown;
}

/**
 * What the record of a run says of its nodes. What was set by hand before a node ran counts as put out: the run went on with it.
 */
export class RecordedRun {
	/** `sys.*`, by name. */
	readonly system: Values;
	readonly #byHand = new Map<string, Values>();
	readonly #nodes = new Map<string, RecordedNode>();
	readonly #rounds = new Map<string, RecordedRounds>();
	readonly #begun = new Set<string>();

	/** @param events as JSON texts, in their order @param until the node of which it is asked what it found: what was set by hand after it counts no more */
	constructor(events: Iterable<string>, until: { readonly node: string; readonly place: ExecutionPlace }) {
		const rounds = this.#rounds;
		const last = keyOf(until.node, until.place);
		let set: readonly SetByHand[] = [];
		const keep = () => {
			for (const each of set) {
				this.#set(each);
			}
			set = [];
		};
		let system: Values = {};
		for (const text of events) {
			const event: unknown = JSON.parse(text);
			const data = fieldsOf(fieldOf(event, 'data'));
			const key = keyOf(String(data['node_id']), data as ExecutionPlace);
			if (fieldOf(event, 'event') === 'variable_set') {
				set = [...set, ...this.#setByHand(data)];
				continue;
			}
			if (key === last) {
				keep();
			}
			switch (fieldOf(event, 'event')) {
				case 'workflow_started':
					system = systemOf(fieldsOf(data['inputs']));
					break;
				case 'node_started':
					this.#begun.add(key);
					break;
				case 'iteration_started':
				case 'loop_started':
					this.#begun.add(key);
					rounds.set(key, roundsOf(fieldsOf(data['inputs'])));
					break;
				case 'loop_next':
					rounds.get(key)?.variables.set(Number(data['index']), fieldsOf(data['pre_loop_output']));
					break;
				case 'node_finished':
				case 'iteration_completed':
				case 'loop_completed':
					// a node that ran again has put out anew
					set = set.filter(each => each.key !== key);
					this.#end(key, data);
					break;
				default:
			}
		}
		if (!this.#begun.has(last)) {
			keep();
		}
		this.system = system;
	}

	/** IDs of the nodes that have ended in a place, with what they put out. */
	*in(place: ExecutionPlace): Iterable<readonly [string, RecordedNode]> {
		for (const [key, node] of this.#nodes) {
			const [id, ...rest] = JSON.parse(key) as [string, ...unknown[]];
			if (JSON.stringify([id, ...rest]) === keyOf(id, place)) {
				yield [id, node];
			}
		}
	}

	/** Whether the run came to a node. */
	begun(id: string, place: ExecutionPlace): boolean {
		return this.#begun.has(keyOf(id, place));
	}

	/** A node that has ended. */
	node(id: string, place: ExecutionPlace): RecordedNode | undefined {
		return this.#nodes.get(keyOf(id, place));
	}

	/** Variables of a node that somebody has changed, with their values; empty where there are none. */
	byHand(id: string, place: ExecutionPlace): Values {
		return this.#byHand.get(keyOf(id, place)) ?? {};
	}

	/** What a container's node sees of the round that it begins; undefined: the record has no such round. */
	round(container: string, place: ExecutionPlace, index: number): Values | undefined {
		const rounds = this.#rounds.get(keyOf(container, place));
		if (rounds?.items) {
			return index < rounds.items.length ? { item: rounds.items[index], index } : undefined;
		}
		return rounds?.variables.get(index);
	}

	/** What of a change is one of a node's outputs: nothing of other variables, or of agents that are used as tools. */
	#setByHand({ selector, value, agent, iteration_id, iteration_index, loop_id, loop_index }: Values): readonly SetByHand[] {
		const [node, variable, ...keys] = Array.isArray(selector) ? selector.map(String) : [];
		if (node === undefined || variable === undefined || agent !== undefined) {
			return [];
		}
		// it can have been put out here, or around the containers
		const iteration = { iteration_id, iteration_index } as ExecutionPlace;
		const loop = { loop_id, loop_index } as ExecutionPlace;
		const owner = [{ ...iteration, ...loop }, iteration, loop, {}].map(place => keyOf(node, place)).find(key => this.#nodes.has(key));
		return owner === undefined ? [] : [{ key: owner, variable, keys, value }];
	}

	#set({ key, variable, keys, value }: SetByHand): void {
		const node = this.#nodes.get(key);
		if (node) {
			const changed = { [variable]: replaced(node.outputs[variable], keys, value) };
			this.#nodes.set(key, { ...node, outputs: { ...node.outputs, ...changed } });
			this.#byHand.set(key, { ...this.#byHand.get(key), ...changed });
		}
	}

	#end(key: string, data: Values): void {
		this.#byHand.delete(key);
		const status = data['status'] ?? 'succeeded';
		if (status === 'succeeded' || status === 'exception') {
			this.#nodes.set(key, { status, outputs: fieldsOf(data['outputs']) });
		}
	}
}

/** Where a node is, as events tell it: of containers inside others of their kind, the innermost alone. */
function keyOf(id: string, { iteration_id, iteration_index, loop_id, loop_index }: ExecutionPlace): string {
	return JSON.stringify([id, iteration_id ?? null, iteration_index ?? null, loop_id ?? null, loop_index ?? null]);
}

function systemOf(inputs: Values): Values {
	return Object.fromEntries(Object.entries(inputs).flatMap(([name, value]) => (name.startsWith('sys.') ? [[name.slice(4), value]] : [])));
}

function roundsOf({ iterator_selector: items, loop_count: _, ...variables }: Values): RecordedRounds {
	return Array.isArray(items) ? { items, variables: new Map() } : { variables: new Map([[0, variables]]) };
}
