import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';

/** Pause after which typed text is written to the file, in milliseconds. Each pause is one undo step. */
const pauseMs = 600;

/**
 * Applies all edits from a page to a document, one after the other, so that each starts from the result of the previous one. Combines
 * typing into one edit per pause. Belongs to the document, so that nothing is lost when the page is hidden or closed in the middle of a
 * word.
 */
export class TypedEdits<Asked extends { readonly operation: GraphOperation }> {
	readonly #apply: (asked: Asked) => Promise<void>;
	readonly #pauseMs: number;
	#waiting: Asked | undefined;
	#timer: NodeJS.Timeout | undefined;
	#last: Promise<void> = Promise.resolve();

	/** @param apply applies an operation to the document and reports failures to the user */
	constructor(apply: (asked: Asked) => Promise<void>, pause = pauseMs) {
		this.#apply = apply;
		this.#pauseMs = pause;
	}

	/** Stores the current value of a field while the user types. */
	addTypedValue(asked: Asked): void {
		if (this.#waiting && isSameField(this.#waiting.operation, asked.operation)) {
			this.#waiting = undefined;
		}
		void this.flushEdits();
		this.#waiting = asked;
		this.#timer = setTimeout(() => void this.flushEdits(), this.#pauseMs);
	}

	/** Applies an operation now, after pending typed text of other fields. */
	applyEdit(asked: Asked): Promise<void> {
		if (this.#waiting && isSameField(this.#waiting.operation, asked.operation)) {
			this.#waiting = undefined;
		}
		return this.runAfterEdits(() => this.#apply(asked));
	}

	/** Runs another action after all pending edits. */
	runAfterEdits(act: () => Promise<void>): Promise<void> {
		void this.flushEdits();
		const done = this.#last.then(act);
		// a failed step doesn't block the next ones
		this.#last = done.catch(() => undefined);
		return done;
	}

	/** Writes pending typed text to the document. Resolves when all edits are applied. */
	flushEdits(): Promise<void> {
		clearTimeout(this.#timer);
		const waiting = this.#waiting;
		this.#waiting = undefined;
		return waiting ? this.runAfterEdits(() => this.#apply(waiting)) : this.#last;
	}
}

function isSameField(a: GraphOperation, b: GraphOperation): boolean {
	return a.do === 'set' && b.do === 'set' && a.node === b.node && JSON.stringify(a.path) === JSON.stringify(b.path);
}
