/** The messages sent before, for the arrow keys. What was being written comes back at the newest end. */
export class MessageHistory {
	#sent: string[] = [];
	/** How far back; -1: what is being written. */
	#at = -1;
	#draft = '';

	/** Takes over the messages of a chat, newest first. */
	reset(sent: readonly string[]): void {
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

	/** The user typed: what stands in the box is what is being written. */
	leave(): void {
		this.#at = -1;
	}

	/** The message before, or undefined at the oldest. */
	older(current: string): string | undefined {
		if (this.#at + 1 >= this.#sent.length) {
			return undefined;
		}
		if (this.#at < 0) {
			this.#draft = current;
		}
		return this.#sent[++this.#at];
	}

	/** The message after, or what was being written. */
	newer(): string | undefined {
		if (this.#at < 0) {
			return undefined;
		}
		return --this.#at < 0 ? this.#draft : this.#sent[this.#at];
	}
}
