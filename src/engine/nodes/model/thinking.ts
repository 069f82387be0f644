/** A chunk of a model's text or of its thoughts. */
export interface ReplyPiece {
	readonly type: 'text' | 'reasoning';
	readonly text: string;
}

/**
 * Separates `<think>…</think>` from the rest of a model's text as it streams (`reasoning_format: separated`; workflow DSL, "llm"). An
 * unclosed thought includes everything after it.
 */
export class ThinkingFilter {
	#held = '';
	#thinking = false;
	#begun = false;

	/** @returns the chunks that are known to be text or thoughts */
	push(piece: string): readonly ReplyPiece[] {
		const pieces: ReplyPiece[] = [];
		this.#held += piece;
		for (let mark = this.#findTag(); mark; mark = this.#findTag()) {
			this.#releaseText(pieces, mark.index);
			this.#held = this.#held.slice(mark[0].length);
			this.#thinking = !this.#thinking;
		}
		this.#releaseText(pieces, this.#held.length - this.#countUndecided());
		return pieces;
	}

	/** Ends the text. @returns the chunks held back */
	endText(): readonly ReplyPiece[] {
		const pieces: ReplyPiece[] = [];
		this.#releaseText(pieces, this.#held.length);
		return pieces;
	}

	#findTag(): RegExpExecArray | null {
		return (this.#thinking ? closing : opening).exec(this.#held);
	}

	/** Returns the number of characters at the end that may be the start of a tag. */
	#countUndecided(): number {
		return (this.#thinking ? closingBegun : openingBegun).exec(this.#held)?.[0].length ?? 0;
	}

	#releaseText(pieces: ReplyPiece[], length: number): void {
		let text = this.#held.slice(0, length);
		this.#held = this.#held.slice(length);
		if (!this.#thinking && !this.#begun) {
			// whitespace between a thought and the text after it belongs to neither
			text = text.trimStart();
			this.#begun = text !== '';
		}
		if (text !== '') {
			pieces.push({ type: this.#thinking ? 'reasoning' : 'text', text });
		}
	}
}

const opening = /<think(?:\s[^<>]{0,512})?>/i;
const closing = /<\/think>/i;
const openingBegun = /<(?:t(?:h(?:i(?:n(?:k(?:\s[^<>]{0,512})?)?)?)?)?)?$/i;
const closingBegun = /<(?:\/(?:t(?:h(?:i(?:n(?:k)?)?)?)?)?)?$/i;

/** Removes thoughts from a whole text; an unclosed one stays. Searches the tags sequentially, which takes linear time. */
export function removeThoughts(text: string): string {
	const opening = /<think/gi;
	const closing = /<\/think>/gi;
	let kept = '';
	let from = 0;
	for (let start = opening.exec(text); start; start = opening.exec(text)) {
		closing.lastIndex = text.indexOf('>', opening.lastIndex);
		if (closing.lastIndex < 0 || !closing.test(text)) {
			break;
		}
		kept += text.slice(from, start.index);
		from = closing.lastIndex;
		opening.lastIndex = from;
	}
	return kept + text.slice(from);
}
