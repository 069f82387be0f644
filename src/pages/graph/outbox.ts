import type { Doing, FromGraph } from './picture/graphProtocol.ts';

/** Numbers the requests of the page. The host handles them in this order and reports the number of the last one that is done. */
export class Outbox {
	readonly #post: (message: FromGraph) => void;
	#seq = 0;
	#done = 0;
	/** Revision of the form that the page has. */
	form = 0;

	constructor(post: (message: FromGraph) => void) {
		this.#post = post;
	}

	/** Continues the numbering of a previous page. */
	continueNumbering(seq: number): void {
		this.#seq = seq;
		this.#done = seq;
	}

	/** Sends a request. Returns its sequence number. */
	send(doing: Doing): number {
		const seq = ++this.#seq;
		const isEdit = doing.type === 'edit' || doing.type === 'typed';
		this.#post({ ...doing, seq, ...(isEdit ? { form: this.form, done: this.#done } : {}) } as FromGraph);
		return seq;
	}

	/** Marks all requests up to this one as done or refused. */
	markRequestsDone(seq: number): void {
		this.#done = Math.max(this.#done, seq);
	}

	/** The last sequence number. */
	get last(): number {
		return this.#seq;
	}

	/** True if any request is pending. */
	get isWaiting(): boolean {
		return this.#done < this.#seq;
	}
}
