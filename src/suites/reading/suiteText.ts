import type { Node } from 'jsonc-parser';
import { getValueRange, type TextFault } from '#base/text/textFaults.ts';
import type { SuiteFault, SuitePlace } from '../suite.ts';

/** The text of a suite or run file, with its line numbers. */
export class SuiteText {
	readonly file: string;
	readonly #lineStarts: number[] = [0];

	/** @param file absolute path */
	constructor(file: string, text: string) {
		this.file = file;
		for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
			this.#lineStarts.push(at + 1);
		}
	}

	/** Returns the position of a node. For an object or list, this is its opening bracket. */
	getNodePosition(node: Node): SuitePlace {
		return this.#locateOffset(getValueRange(node));
	}

	/** Adds the file and line to a problem. */
	locateFault(fault: TextFault): SuiteFault {
		return { ...fault, ...this.#locateOffset(fault) };
	}

	#locateOffset({ offset, length }: { readonly offset: number; readonly length: number }): SuitePlace {
		let low = 0;
		let high = this.#lineStarts.length - 1;
		while (low < high) {
			const middle = Math.ceil((low + high) / 2);
			if (this.#lineStarts[middle]! <= offset) {
				low = middle;
			} else {
				high = middle - 1;
			}
		}
		return { file: this.file, offset, length, line: low + 1, column: offset - this.#lineStarts[low]! + 1 };
	}
}
