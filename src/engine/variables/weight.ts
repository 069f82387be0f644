import { NodeError } from '../nodes/nodeType.ts';

/** What an item of a list or an entry of an object weighs besides its value, in characters: what a loop over it takes. */
const itemWeight = 40;

/**
 * How much work it is to go through a plain value, in characters of text; `undefined`: more than `most`. Looks at no more than that.
 */
export function weightWithin(value: unknown, most: number): number | undefined {
	const left = weigh(value, most);
	return left < 0 ? undefined : most - left;
}

function weigh(value: unknown, left: number): number {
	if (typeof value === 'string') {
		return left - value.length;
	}
	if (typeof value !== 'object' || value === null) {
		return left - 1;
	}
	let rest = left;
	if (Array.isArray(value)) {
		for (let i = 0; i < value.length && rest >= 0; i++) {
			rest = weigh(value[i], rest - itemWeight);
		}
		return rest;
	}
	if (value instanceof Map) {
		for (const [key, item] of value) {
			rest = weigh(item, rest - itemWeight - String(key).length);
			if (rest < 0) {
				break;
			}
		}
		return rest;
	}
	for (const key in value) {
		rest = weigh((value as Record<string, unknown>)[key], rest - itemWeight - key.length);
		if (rest < 0) {
			break;
		}
	}
	return rest;
}

/** Weight of what one node is recorded with: far more than documents and models give, and less than what fills the memory when it is written as JSON. */
const maxNodeWeight = 50_000_000;

/** Throws a {@link NodeError} for values of a node that are too much to be recorded: a list can hold one long text again and again. */
export function checkWeight(values: unknown): void {
	if (weightWithin(values, maxNodeWeight) === undefined) {
		throw new NodeError(`The values of this node are over ${maxNodeWeight} characters, the most that a node can have`, 'ValueLengthError');
	}
}
