/**
 * Takes the `<think>…</think>` that some models begin their text with out of it, piece by piece as the text comes
 * (`reasoning_format: separated`; workflow DSL, "llm").
 */
export class ThinkingFilter {
	#held = '';
	#state: 'start' | 'thinking' | 'text' = 'start';
	reasoning = '';

	/** @returns what of the text is certain to be no reasoning */
	push(piece: string): string {
		if (this.#state === 'text') {
			return piece;
		}
		this.#held += piece;
		if (this.#state === 'start') {
			const begun = this.#held.trimStart();
			if (begun.startsWith(opening)) {
				this.#state = 'thinking';
				this.#held = begun.slice(opening.length);
			} else if (opening.startsWith(begun)) {
				return '';
			} else {
				return this.#release(this.#held);
			}
		}
		const end = this.#held.indexOf(closing);
		if (end < 0) {
			return '';
		}
		this.reasoning += this.#held.slice(0, end).trim();
		return this.#release(this.#held.slice(end + closing.length).trimStart());
	}

	/** The text has ended. @returns what was held back */
	end(): string {
		if (this.#state === 'thinking') {
			this.reasoning += this.#held.trim();
			return '';
		}
		return this.#state === 'start' ? this.#release(this.#held) : '';
	}

	#release(text: string): string {
		this.#state = 'text';
		this.#held = '';
		return text;
	}
}

const opening = '<think>';
const closing = '</think>';
