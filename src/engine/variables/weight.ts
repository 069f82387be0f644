import { NodeError } from '../nodes/nodeError.ts';

/** Weight in characters of an item or entry besides its value: the cost of looping over it. */
const itemWeight = 40;

/** Returns the work to traverse a plain value, in characters of text; `undefined` if it exceeds `most`. Stops at that limit. */
export function getWeightWithin(value: unknown, most: number): number | undefined {
	const left = subtractWeight(value, most);
	return left < 0 ? undefined : most - left;
}

function subtractWeight(value: unknown, left: number): number {
	if (typeof value === 'string') {
		return left - value.length;
	}
	if (typeof value !== 'object' || value === null) {
		return left - 1;
	}
	let rest = left;
	if (Array.isArray(value)) {
		for (let i = 0; i < value.length && rest >= 0; i++) {
			rest = subtractWeight(value[i], rest - itemWeight);
		}
		return rest;
	}
	if (value instanceof Map) {
		for (const [key, item] of value) {
			rest = subtractWeight(item, rest - itemWeight - String(key).length);
			if (rest < 0) {
				break;
			}
		}
		return rest;
	}
	for (const key in value) {
		rest = subtractWeight((value as Record<string, unknown>)[key], rest - itemWeight - key.length);
		if (rest < 0) {
			break;
		}
	}
	return rest;
}

/** Maximum weight of one node's recorded values: far more than documents and models return, but less than would fill the memory as JSON. */
export const maxNodeWeight = 50_000_000;

/** Sums the weight of a node's values, so that a node that creates them one by one fails before they fill the memory. */
export class NodeWeight {
	#left = maxNodeWeight;

	/** Throws a {@link NodeError} if the values so far are too large to record. */
	add(values: unknown): void {
		const weight = getWeightWithin(values, this.#left);
		if (weight === undefined) {
			throw new NodeError(
				`The values of this node are longer than ${maxNodeWeight} characters in total, the limit for a node`,
				'ValueLengthError',
			);
		}
		this.#left -= weight;
	}
}

/** Throws a {@link NodeError} if a node's values are too large to record: a list can contain one long string many times. */
export function checkWeight(values: unknown): void {
	new NodeWeight().add(values);
}

/** Maximum weight of the values of a run that waits for input, which are saved together. */
const maxPausedWeight = 2 * maxNodeWeight;

/** Throws a {@link NodeError} if the values of a run are too large to save while it waits: many nodes can output one long value. */
export function checkPausedWeight(values: unknown): void {
	if (getWeightWithin(values, maxPausedWeight) === undefined) {
		throw new NodeError(
			`The values of this run are longer than ${maxPausedWeight} characters in total, the limit for a run that waits for input`,
			'ValueLengthError',
		);
	}
}
