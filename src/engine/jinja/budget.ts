import { toPrintedText } from './values/printing.ts';
import { Dict, type Value } from './values/values.ts';

/** Budget of a template that is rendered without a thread, in characters of processed text: about two milliseconds. */
const total = 60_000;
/** Additional cost of one step. */
const stepWeight = 20;
/** Cost of a list item, which a loop may iterate over. */
const itemWeight = 60;
/** Maximum length of a string argument, and maximum number argument. Some filters repeat an argument for every character of the text. */
const maxArgument = 64;
const maxNumber = 1000;
/** Maximum bits of an integer: the time to multiply and print larger ones grows faster than their length. */
const maxBits = 4096;

/** Thrown if a template might not be rendered quickly. The partial result is discarded. */
export class TakesLonger extends Error {
	override readonly name = 'TakesLonger';
}

/**
 * Limits the work of rendering a template without a thread. The work of a step is proportional to the size of its inputs and results, so
 * these sizes are added up. Throws for operations that may take longer.
 */
export class Budget {
	#left = total;

	/** @throws {TakesLonger} like all methods of this class */
	chargeStep(): void {
		this.#chargeWeight(stepWeight);
	}

	/** Charges for a value that a step produces, with its whole contents, because the next step may traverse all of it. */
	chargeValue(value: Value): void {
		if (typeof value === 'string') {
			this.#chargeWeight(value.length);
		} else if (typeof value === 'bigint') {
			this.#requireQuick(BigInt.asIntN(maxBits, value) === value);
		} else if (Array.isArray(value)) {
			for (const item of value) {
				this.#chargeWeight(itemWeight);
				this.chargeValue(item);
			}
		} else if (value instanceof Dict) {
			for (const [key, item] of value) {
				this.#chargeWeight(itemWeight);
				this.chargeValue(key);
				this.chargeValue(item);
			}
		}
	}

	/** @param quick true if the function's time is proportional to the size of its arguments and result */
	chargeCall(quick: boolean, args: Iterable<Value>): void {
		for (const value of args) {
			const size = typeof value === 'string' ? value.length : 0;
			quick &&= size <= maxArgument && (typeof value !== 'number' || Math.abs(value) <= maxNumber) && typeof value !== 'bigint';
		}
		this.#requireQuick(quick);
	}

	/** @param eachItem true if the filter processes each item; a string counts as a list of characters */
	chargeFilter(quick: boolean, eachItem: boolean, operand: Value, args: readonly Value[]): void {
		if (eachItem && typeof operand === 'string') {
			this.#chargeWeight(operand.length * itemWeight);
		}
		// some filters print an argument once per item
		this.chargeCall(
			quick,
			args.map(value => (typeof value === 'object' ? toPrintedText(value) : value)),
		);
	}

	/** Charges more for operators that repeat or format strings (`*`, `**`, `%`) or search a string at every position (`in`). */
	chargeOperation(operator: string, left: Value, right: Value): void {
		const isTextOrList = (value: Value) => typeof value === 'string' || Array.isArray(value);
		if (operator.endsWith('in')) {
			this.#requireQuick(typeof left !== 'string' || left.length <= maxArgument);
		} else if (['*', '%', '**'].includes(operator)) {
			this.#requireQuick(!isTextOrList(left) && !isTextOrList(right) && operator !== '**');
		}
	}

	/** Always throws; called for macros and filter blocks. */
	throwTakesLonger(): never {
		throw new TakesLonger();
	}

	#requireQuick(quick: boolean): void {
		if (!quick) {
			throw new TakesLonger();
		}
	}

	#chargeWeight(weight: number): void {
		this.#left -= weight;
		if (this.#left < 0) {
			throw new TakesLonger();
		}
	}
}
