import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';

/**
 * Buffers parts of a model's stream while a tool call is being written, because callers expect one block at a time but some services
 * interleave blocks. Each part is examined once, however many calls are interleaved.
 */
export class HeldParts {
	/** Parts in order of arrival; undefined if already written. */
	#parts: (LanguageModelV4StreamPart | undefined)[] = [];
	#next = 0;
	/** For each block, the positions of its parts and the index of the next one. */
	#blocks = new Map<string, { readonly positions: number[]; next: number }>();
	#isReleasing = false;

	holdPart(block: string, part: LanguageModelV4StreamPart): void {
		const known = this.#blocks.get(block);
		if (known) {
			known.positions.push(this.#parts.length);
		} else {
			this.#blocks.set(block, { positions: [this.#parts.length], next: 0 });
		}
		this.#parts.push(part);
	}

	/**
	 * Writes the parts that may be written now: the next part and, if it opens a call, the parts of that call until its end. Ignores nested
	 * calls, because `write` may end a call.
	 * @param openBlock returns the block of the call being written
	 */
	releaseParts(openBlock: () => string | undefined, write: (part: LanguageModelV4StreamPart) => void): void {
		if (this.#isReleasing) {
			return;
		}
		this.#isReleasing = true;
		for (let part = this.#takeNextPart(openBlock()); part; part = this.#takeNextPart(openBlock())) {
			write(part);
		}
		this.#isReleasing = false;
		if (this.#next === this.#parts.length) {
			this.#parts = [];
			this.#next = 0;
			this.#blocks = new Map();
		}
	}

	#takeNextPart(openBlock: string | undefined): LanguageModelV4StreamPart | undefined {
		if (openBlock === undefined) {
			while (this.#next < this.#parts.length) {
				const part = this.#takePartAt(this.#next++);
				if (part) {
					return part;
				}
			}
			return undefined;
		}
		const block = this.#blocks.get(openBlock);
		while (block && block.next < block.positions.length) {
			const part = this.#takePartAt(block.positions[block.next++] ?? 0);
			if (part) {
				return part;
			}
		}
		return undefined;
	}

	#takePartAt(position: number): LanguageModelV4StreamPart | undefined {
		const part = this.#parts[position];
		this.#parts[position] = undefined;
		return part;
	}
}
