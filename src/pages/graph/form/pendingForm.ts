import type { FormOperation, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';
import { applyToForm } from './formAfter.ts';
import { ItemKeys } from './itemKeys.ts';

/** The form to show: the host's last form with the requested edits applied. Each edit is applied until the host reports that it is done. */
export class PendingForm {
	#received: NodeForm | undefined;
	#shown: NodeForm | undefined;
	#requested: readonly { readonly seq: number; readonly operation: FormOperation }[] = [];
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
	applyForm(form: NodeForm | undefined, done: number, isSameNode: boolean): void {
		this.#received = form;
		this.#shown = isSameNode ? this.#shown : undefined;
		this.markRequestsDone(done);
	}

	/** Marks all requests up to `done` as done or refused. */
	markRequestsDone(done: number): void {
		this.#requested = this.#requested.filter(({ seq }) => seq > done);
		this.rebuildForm();
	}

	/** Adds a requested edit. */
	addRequest(seq: number, operation: FormOperation): void {
		const last = this.#requested.at(-1);
		this.#requested = [
			...(last && isSameField(last.operation, operation) ? this.#requested.slice(0, -1) : this.#requested),
			{ seq, operation },
		];
		// apply the edit to the shown form first, so that items keep their keys
		this.#shown = this.#shown && applyToForm(this.#shown, operation);
		this.rebuildForm();
	}

	/** True if an addition to a list or map isn't in the file yet. */
	isAwaitingItem(path: NodeFormField['path']): boolean {
		return this.#requested.some(
			({ operation }) =>
				operation.do !== 'rename' &&
				(operation.do === 'insertItem'
					? isSamePath(operation.path, path)
					: operation.do === 'set' && isSamePath(operation.path.slice(0, path.length), path)),
		);
	}

	/** Rebuilds the form to render. */
	rebuildForm(): void {
		const now = this.#received && this.#requested.reduce((form, { operation }) => applyToForm(form, operation), this.#received);
		this.#shown = now && this.#keys.assignKeys(now, this.#shown, this.#isTypedIn);
	}
}

/** True if both operations set the same field, as with each keystroke. The last one wins. */
function isSameField(a: FormOperation, b: FormOperation): boolean {
	return a.do === 'set' && b.do === 'set' && a.node === b.node && isSamePath(a.path, b.path);
}

function isSamePath(a: NodeFormField['path'], b: NodeFormField['path']): boolean {
	return a.length === b.length && a.every((key, at) => key === b[at]);
}
