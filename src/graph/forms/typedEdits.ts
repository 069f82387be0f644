import type { GraphOperation } from '../../agentFile/edits/graphOperations.ts';

/** Milliseconds without a key after which what was typed goes into the file: one step of undo for a pause. */
export const pauseMs = 600;

/**
 * Gathers what is typed in a form into one edit for each pause. It lives with the document, not with the page: a page that is hidden or closed in the middle
 * of a word loses nothing.
 */
export class TypedEdits {
	readonly #apply: (operation: GraphOperation) => Promise<void>;
	readonly #pauseMs: number;
	#waiting: GraphOperation | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** Edits go one after the other: each is made of the text that the one before has left. */
	#last: Promise<void> = Promise.resolve();

	/** @param apply puts an operation into the document; tells the user where it cannot, and never rejects */
	constructor(apply: (operation: GraphOperation) => Promise<void>, pause = pauseMs) {
		this.#apply = apply;
		this.#pauseMs = pause;
	}

	/** Takes what a field holds while someone types in it. */
	typed(operation: GraphOperation): void {
		if (this.#waiting && !isSameField(this.#waiting, operation)) {
			void this.flush();
		}
		this.#waiting = operation;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.flush(), this.#pauseMs);
	}

	/** Does an operation now, behind what was typed in other fields. */
	edit(operation: GraphOperation): Promise<void> {
		if (this.#waiting && isSameField(this.#waiting, operation)) {
			this.#waiting = undefined;
		}
		void this.flush();
		return this.#queue(operation);
	}

	/** Puts what was typed into the document. Resolves when all is there. */
	flush(): Promise<void> {
		clearTimeout(this.#timer);
		const waiting = this.#waiting;
		this.#waiting = undefined;
		return waiting ? this.#queue(waiting) : this.#last;
	}

	#queue(operation: GraphOperation): Promise<void> {
		const done = this.#last.then(() => this.#apply(operation));
		// one that fails holds up none behind it
		this.#last = done.catch(() => undefined);
		return done;
	}
}

function isSameField(a: GraphOperation, b: GraphOperation): boolean {
	return a.do === 'set' && b.do === 'set' && a.node === b.node && JSON.stringify(a.path) === JSON.stringify(b.path);
}
