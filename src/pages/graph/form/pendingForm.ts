import type { FormOperation, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';
import { formAfter } from './formAfter.ts';
import { ItemKeys } from './itemKeys.ts';

/** The form to show: the host's last form with the requested edits applied. Each edit is applied until the host reports that it is done. */
export class PendingForm {
	#told: NodeForm | undefined;
	#shown: NodeForm | undefined;
	#asked: readonly { readonly seq: number; readonly operation: FormOperation }[] = [];
	readonly #keys = new ItemKeys();
	readonly #isTypedIn: (field: NodeFormField) => boolean;

	constructor(isTypedIn: (field: NodeFormField) => boolean) {
		this.#isTypedIn = isTypedIn;
	}

	/** The form to render. */
	get shown(): NodeForm | undefined {
		return this.#shown;
	}

	/** Applies the host's form, which includes all requests up to `done`. */
	take(form: NodeForm | undefined, done: number, isSameNode: boolean): void {
		this.#told = form;
		this.#shown = isSameNode ? this.#shown : undefined;
		this.answered(done);
	}

	/** All requests up to this one are done or refused. */
	answered(done: number): void {
		this.#asked = this.#asked.filter(({ seq }) => seq > done);
		this.show();
	}

	/** Adds a requested edit. */
	ask(seq: number, operation: FormOperation): void {
		const last = this.#asked.at(-1);
		this.#asked = [...(last && isSame(last.operation, operation) ? this.#asked.slice(0, -1) : this.#asked), { seq, operation }];
		// applied to the shown form first, so that items keep their keys
		this.#shown = this.#shown && formAfter(this.#shown, operation);
		this.show();
	}

	/** True if an addition to a list or map isn't in the file yet. */
	awaitsNew(path: NodeFormField['path']): boolean {
		return this.#asked.some(
			({ operation }) =>
				operation.do !== 'rename' &&
				(operation.do === 'insertItem'
					? isAt(operation.path, path)
					: operation.do === 'set' && isAt(operation.path.slice(0, path.length), path)),
		);
	}

	/** Rebuilds the form to render. */
	show(): void {
		const now = this.#told && this.#asked.reduce((form, { operation }) => formAfter(form, operation), this.#told);
		this.#shown = now && this.#keys.align(now, this.#shown, this.#isTypedIn);
	}
}

/** True if both set the same field, as with each key stroke: the last one wins. */
function isSame(a: FormOperation, b: FormOperation): boolean {
	return a.do === 'set' && b.do === 'set' && a.node === b.node && isAt(a.path, b.path);
}

function isAt(a: NodeFormField['path'], b: NodeFormField['path']): boolean {
	return a.length === b.length && a.every((key, at) => key === b[at]);
}
