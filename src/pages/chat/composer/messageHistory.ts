/** Sent messages that the arrow keys recall. The draft comes after the newest message. */
export class MessageHistory {
	#sent: string[] = [];
	/** Index of the shown message; -1 for the draft. */
	#at = -1;
	#draft = '';

	/** Replaces the messages, newest first. */
	replaceMessages(sent: readonly string[]): void {
		this.#sent = [...sent];
		this.#at = -1;
	}

	get recalling(): boolean {
		return this.#at >= 0;
	}

	add(text: string): void {
		if (text.trim() && this.#sent[0] !== text) {
			this.#sent.unshift(text);
		}
		this.#at = -1;
	}

	/** Call when the user types, because the text is then the new draft. */
	stopRecalling(): void {
		this.#at = -1;
	}

	/** Returns the previous message; `undefined` at the oldest. */
	getOlderMessage(current: string): string | undefined {
		if (this.#at + 1 >= this.#sent.length) {
			return undefined;
		}
		if (this.#at < 0) {
			this.#draft = current;
		}
		return this.#sent[++this.#at];
	}

	/** Returns the next message or the draft. */
	getNewerMessage(): string | undefined {
		if (this.#at < 0) {
			return undefined;
		}
		return --this.#at < 0 ? this.#draft : this.#sent[this.#at];
	}
}
