import { printed } from './values/printing.ts';
import { Dict, type Value } from './values/values.ts';

/** What a template may do at once, in characters of text that it handles: about two milliseconds. */
const total = 60_000;
/** What one step takes besides. */
const stepWeight = 20;
/** What an item of a list takes, which a loop may be over. */
const itemWeight = 60;
/** Characters, and numbers, that an argument may be: some filters put it in as often as the text is long. */
const maxArgument = 64;
const maxNumber = 1000;
/** Bits of a whole number: multiplying and printing larger ones takes far longer than they are long. */
const maxBits = 4096;

/** A template isn't certain to be filled quickly; what was done of it is dropped. */
export class TakesLonger extends Error {
	override readonly name = 'TakesLonger';
}

/**
 * Keeps count while a template is filled at once: each step does work in proportion to the values that it is given and gives, and these are
 * counted. What may do more isn't done at once.
 */
export class Budget {
	#left = total;

	/** @throws {TakesLonger} as all of these do */
	step(): void {
		this.#take(stepWeight);
	}

	/** Every value that a step gives is paid for, with all that is in it: the step that it is given to may go through the whole. */
	pay(value: Value): void {
		if (typeof value === 'string') {
			this.#take(value.length);
		} else if (typeof value === 'bigint') {
			this.#allow(BigInt.asIntN(maxBits, value) === value);
		} else if (Array.isArray(value)) {
			for (const item of value) {
				this.#take(itemWeight);
				this.pay(item);
			}
		} else if (value instanceof Dict) {
			for (const [key, item] of value) {
				this.#take(itemWeight);
				this.pay(key);
				this.pay(item);
			}
		}
	}

	/** @param quick whether what is called takes no longer than what it is given and gives is long */
	call(quick: boolean, args: Iterable<Value>): void {
		for (const value of args) {
			const size = typeof value === 'string' ? value.length : 0;
			quick &&= size <= maxArgument && (typeof value !== 'number' || Math.abs(value) <= maxNumber) && typeof value !== 'bigint';
		}
		this.#allow(quick);
	}

	/** @param eachItem whether the filter does something with each item: a text is a list of its characters for it */
	filter(quick: boolean, eachItem: boolean, operand: Value, args: readonly Value[]): void {
		if (eachItem && typeof operand === 'string') {
			this.#take(operand.length * itemWeight);
		}
		// some filters print an argument once for each item
		this.call(
			quick,
			args.map(value => (typeof value === 'object' ? printed(value) : value)),
		);
	}

	/** `*`, `**` and `%` repeat and fill texts, `in` looks for one text from every position of another. */
	operation(operator: string, left: Value, right: Value): void {
		const isLong = (value: Value) => typeof value === 'string' || Array.isArray(value);
		if (operator.endsWith('in')) {
			this.#allow(typeof left !== 'string' || left.length <= maxArgument);
		} else if (['*', '%', '**'].includes(operator)) {
			this.#allow(!isLong(left) && !isLong(right) && operator !== '**');
		}
	}

	/** Macros and blocks that are filtered. */
	refuse(): never {
		throw new TakesLonger();
	}

	#allow(quick: boolean): void {
		if (!quick) {
			throw new TakesLonger();
		}
	}

	#take(weight: number): void {
		this.#left -= weight;
		if (this.#left < 0) {
			throw new TakesLonger();
		}
	}
}
