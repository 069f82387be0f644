import type { Node } from 'jsonc-parser';
import { placeOf, type TextFault } from '#base/text/textFaults.ts';
import type { SuiteFault, SuitePlace } from '../suite.ts';

/** A text of a suite's files, which knows the lines of its places. */
export class SuiteText {
	readonly file: string;
	readonly #lineStarts: number[] = [0];

	/** `file`: absolute path. */
	constructor(file: string, text: string) {
		this.file = file;
		for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
			this.#lineStarts.push(at + 1);
		}
	}

	/** Where a node stands; of an object or list its opening bracket. */
	place(node: Node): SuitePlace {
		return this.#placed(placeOf(node));
	}

	/** A fault with its file and line. */
	fault(fault: TextFault): SuiteFault {
		return { ...fault, ...this.#placed(fault) };
	}

	#placed({ offset, length }: { readonly offset: number; readonly length: number }): SuitePlace {
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
