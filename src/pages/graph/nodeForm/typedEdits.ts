import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';

/** Milliseconds without a key after which what was typed goes into the file: one step of undo for a pause. */
const pauseMs = 600;

/**
 * All that is done to a document from its page, one step after the other, in the order in which it was asked for: each is made of the text that the one before has left. What is
 * typed is gathered into one edit for each pause. It lives with the document, not with the page: a page that is hidden or closed in the middle of a word loses nothing.
 */
export class TypedEdits<Asked extends { readonly operation: GraphOperation }> {
	readonly #apply: (asked: Asked) => Promise<void>;
	readonly #pauseMs: number;
	#waiting: Asked | undefined;
	#timer: NodeJS.Timeout | undefined;
	#last: Promise<void> = Promise.resolve();

	/** @param apply puts an operation into the document; tells the user where it cannot */
	constructor(apply: (asked: Asked) => Promise<void>, pause = pauseMs) {
		this.#apply = apply;
		this.#pauseMs = pause;
	}

	/** Takes what a field holds while someone types in it. */
	typed(asked: Asked): void {
		if (this.#waiting && isSameField(this.#waiting.operation, asked.operation)) {
			this.#waiting = undefined;
		}
		void this.flush();
		this.#waiting = asked;
		this.#timer = setTimeout(() => void this.flush(), this.#pauseMs);
	}

	/** Does an operation now, behind what was typed in other fields. */
	edit(asked: Asked): Promise<void> {
		if (this.#waiting && isSameField(this.#waiting.operation, asked.operation)) {
			this.#waiting = undefined;
		}
		return this.step(() => this.#apply(asked));
	}

	/** Does something else in its turn, behind what was typed. */
	step(act: () => Promise<void>): Promise<void> {
		void this.flush();
		const done = this.#last.then(act);
		// one that fails holds up none behind it
		this.#last = done.catch(() => undefined);
		return done;
	}

	/** Puts what was typed into the document. Resolves when all is there. */
	flush(): Promise<void> {
		clearTimeout(this.#timer);
		const waiting = this.#waiting;
		this.#waiting = undefined;
		return waiting ? this.step(() => this.#apply(waiting)) : this.#last;
	}
}

function isSameField(a: GraphOperation, b: GraphOperation): boolean {
	return a.do === 'set' && b.do === 'set' && a.node === b.node && JSON.stringify(a.path) === JSON.stringify(b.path);
}
