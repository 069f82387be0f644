import type { FormOperation, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';
import { formAfter } from './formAfter.ts';
import { ItemKeys } from './itemKeys.ts';

/**
 * The form that is shown: what the host made of the text last, with what was asked for since. An edit stands there from when it is made until the host has answered that very edit, and then
 * what the text has does.
 */
export class PendingForm {
	#told: NodeForm | undefined;
	#shown: NodeForm | undefined;
	#asked: readonly { readonly seq: number; readonly operation: FormOperation }[] = [];
	readonly #keys = new ItemKeys();
	readonly #isTypedIn: (field: NodeFormField) => boolean;

	constructor(isTypedIn: (field: NodeFormField) => boolean) {
		this.#isTypedIn = isTypedIn;
	}

	/** As it is to be drawn. */
	get shown(): NodeForm | undefined {
		return this.#shown;
	}

	/** Takes what the host made of the text, in which all is that was asked for up to `done`. */
	take(form: NodeForm | undefined, done: number, isSameNode: boolean): void {
		this.#told = form;
		this.#shown = isSameNode ? this.#shown : undefined;
		this.answered(done);
	}

	/** All up to this was done, or refused. */
	answered(done: number): void {
		this.#asked = this.#asked.filter(({ seq }) => seq > done);
		this.show();
	}

	/** Takes what was asked for. */
	ask(seq: number, operation: FormOperation): void {
		const last = this.#asked.at(-1);
		this.#asked = [...(last && isSame(last.operation, operation) ? this.#asked.slice(0, -1) : this.#asked), { seq, operation }];
		// by itself, so that items go with their keys
		this.#shown = this.#shown && formAfter(this.#shown, operation);
		this.show();
	}

	/** Whether something new was asked for in a list or a map that the file does not have yet. */
	awaitsNew(path: NodeFormField['path']): boolean {
		return this.#asked.some(
			({ operation }) =>
				operation.do !== 'rename' &&
				(operation.do === 'insertItem'
					? isAt(operation.path, path)
					: operation.do === 'set' && isAt(operation.path.slice(0, path.length), path)),
		);
	}

	/** Makes anew what is to be drawn. */
	show(): void {
		const now = this.#told && this.#asked.reduce((form, { operation }) => formAfter(form, operation), this.#told);
		this.#shown = now && this.#keys.align(now, this.#shown, this.#isTypedIn);
	}
}

/** Whether a value of a field is asked for again, as with each key: the last counts. */
function isSame(a: FormOperation, b: FormOperation): boolean {
	return a.do === 'set' && b.do === 'set' && a.node === b.node && isAt(a.path, b.path);
}

function isAt(a: NodeFormField['path'], b: NodeFormField['path']): boolean {
	return a.length === b.length && a.every((key, at) => key === b[at]);
}
