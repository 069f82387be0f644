import type { Doing, FromGraph } from './picture/graphProtocol.ts';

/** What the page asks the host to do, counted: the host does it in this order, and says how far it came. */
export class Outbox {
	readonly #post: (message: FromGraph) => void;
	#seq = 0;
	#done = 0;
	/** Revision of the form that the page has. */
	form = 0;

	constructor(post: (message: FromGraph) => void) {
		this.#post = post;
	}

	/** Goes on counting where a page before this one ended. */
	begin(seq: number): void {
		this.#seq = seq;
		this.#done = seq;
	}

	/** Asks for something. Returns its number. */
	ask(doing: Doing): number {
		const seq = ++this.#seq;
		const isEdit = doing.type === 'edit' || doing.type === 'typed';
		this.#post({ ...doing, seq, ...(isEdit ? { form: this.form, done: this.#done } : {}) } as FromGraph);
		return seq;
	}

	/** All up to this was done, or refused. */
	answered(seq: number): void {
		this.#done = Math.max(this.#done, seq);
	}

	/** The last that was asked for. */
	get last(): number {
		return this.#seq;
	}

	/** Whether anything that was asked for is not answered yet. */
	get waits(): boolean {
		return this.#done < this.#seq;
	}
}
