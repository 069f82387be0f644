import { fieldOf, fieldsOf } from '../../../agentFile/plainValues.ts';
import type { Place } from '../run/execution.ts';

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

/** What the record of a run says of its nodes. */
export class RecordedRun {
	/** `sys.*`, by name. */
	readonly system: Values;
	readonly #nodes = new Map<string, RecordedNode>();
	readonly #rounds = new Map<string, RecordedRounds>();
	readonly #begun = new Set<string>();

	/** @param events as JSON texts, in their order */
	constructor(events: Iterable<string>) {
		const rounds = this.#rounds;
		let system: Values = {};
		for (const text of events) {
			const event: unknown = JSON.parse(text);
			const data = fieldsOf(fieldOf(event, 'data'));
			const key = keyOf(String(data['node_id']), data as Place);
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
					this.#end(key, data);
					break;
				default:
			}
		}
		this.system = system;
	}

	/** IDs of the nodes that have ended in a place, with what they put out. */
	*in(place: Place): Iterable<readonly [string, RecordedNode]> {
		for (const [key, node] of this.#nodes) {
			const [id, ...rest] = JSON.parse(key) as [string, ...unknown[]];
			if (JSON.stringify([id, ...rest]) === keyOf(id, place)) {
				yield [id, node];
			}
		}
	}

	/** Whether the run came to a node. */
	begun(id: string, place: Place): boolean {
		return this.#begun.has(keyOf(id, place));
	}

	/** A node that has ended. */
	node(id: string, place: Place): RecordedNode | undefined {
		return this.#nodes.get(keyOf(id, place));
	}

	/** What a container's node sees of the round that it begins; undefined: the record has no such round. */
	round(container: string, place: Place, index: number): Values | undefined {
		const rounds = this.#rounds.get(keyOf(container, place));
		if (rounds?.items) {
			return index < rounds.items.length ? { item: rounds.items[index], index } : undefined;
		}
		return rounds?.variables.get(index);
	}

	#end(key: string, data: Values): void {
		const status = data['status'] ?? 'succeeded';
		if (status === 'succeeded' || status === 'exception') {
			this.#nodes.set(key, { status, outputs: fieldsOf(data['outputs']) });
		}
	}
}

/** Where a node is, as events tell it: of containers inside others of their kind, the innermost alone. */
function keyOf(id: string, { iteration_id, iteration_index, loop_id, loop_index }: Place): string {
	return JSON.stringify([id, iteration_id ?? null, iteration_index ?? null, loop_id ?? null, loop_index ?? null]);
}

function systemOf(inputs: Values): Values {
	return Object.fromEntries(Object.entries(inputs).flatMap(([name, value]) => (name.startsWith('sys.') ? [[name.slice(4), value]] : [])));
}

function roundsOf({ iterator_selector: items, loop_count: _, ...variables }: Values): RecordedRounds {
	return Array.isArray(items) ? { items, variables: new Map() } : { variables: new Map([[0, variables]]) };
}
