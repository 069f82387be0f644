import { html, nothing, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { fill } from '../../shared/fill.ts';
import { getInnerFields } from '../nodeForm/formFaults.ts';
import type { FormOperation, FormSection, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';
import { DraftInput } from './draftInput.ts';
import { type FieldPage, getInputId } from './fieldPage.ts';
import { renderField, renderInput } from './fieldView.ts';
import { renderGroup } from './groupField.ts';
import { PendingForm } from './pendingForm.ts';
import { SteadyDrawing } from './press.ts';

/** Callbacks and strings that a form needs from its page. */
interface NodeFormPage {
	readonly strings: NodeFormStrings;
	/** Requests an operation. Returns its sequence number. */
	edit(operation: FormOperation): number;
	sendTyped(operation: FormOperation): number;
	openCode(node: string, path: NodeFormField['path']): void;
	undo(): void;
	redo(): void;
	/** Returns the focus to the canvas. */
	leave(): void;
}

/** The form of the selected node: the host's last form with the edits requested since. */
export class NodeFormPane {
	readonly #root: HTMLElement;
	readonly #page: NodeFormPage;
	readonly #open = new Set<string>();
	readonly #form = new PendingForm(({ path }) => document.activeElement?.id === getInputId({ path }));
	/** Additions that wait until the file contains earlier ones. */
	#later: readonly { readonly path: NodeFormField['path']; readonly act: (field: NodeFormField) => void }[] = [];
	readonly #drawing = new SteadyDrawing(() => this.#render());
	/** ID of the field to focus as soon as it exists. */
	#wanted: string | undefined;
	/** ID of the node that the form's elements belong to. When a node is renamed, the elements and the focus stay. */
	#key = '';
	#renaming: { readonly node: string | undefined; readonly id: string } | undefined;

	/** @param root the container, which is hidden when there is no form */
	constructor(root: HTMLElement, page: NodeFormPage) {
		this.#root = root;
		this.#page = page;
		for (const type of ['pointerdown', 'keydown']) {
			// the user moved on: don't steal focus back
			root.addEventListener(type, () => (this.#wanted = undefined), true);
		}
		// a field may change its kind after blur
		root.addEventListener('focusout', () => queueMicrotask(() => this.#refreshForm()));
	}

	/**
	 * Applies the form of the current text; `undefined` unless exactly one node is selected. `done`: the last request that the form includes.
	 */
	receiveForm(form: NodeForm | undefined, done: number): void {
		const before = this.#form.shown;
		const isOther = form === undefined || form.node !== before?.node || before === undefined;
		const isRenamed = this.#renaming?.id === form?.node && this.#renaming?.node === before?.node;
		if (isOther && !isRenamed) {
			for (const input of this.#root.querySelectorAll('draft-input')) {
				(input as DraftInput).commitDraft();
			}
			this.#key = form?.node ?? '';
			this.#wanted = undefined;
			this.#later = [];
		}
		this.#form.applyForm(form, done, !isOther || isRenamed);
		this.#drawing.requestDrawing();
		if (isOther) {
			this.#root.scrollTop = 0;
		}
		this.#runPendingAdditions();
	}

	/** Marks all requests up to `done` as done or refused. */
	markRequestsDone(done: number): void {
		this.#form.markRequestsDone(done);
		this.#drawing.requestDrawing();
		this.#runPendingAdditions();
	}

	/** Focuses the first field. */
	focus(): void {
		this.#root.querySelector<HTMLElement>('input, textarea, select')?.focus();
	}

	#refreshForm(): void {
		this.#form.rebuildForm();
		this.#drawing.requestDrawing();
	}

	#render(): void {
		const form = this.#form.shown;
		const active = document.activeElement;
		this.#root.hidden = form === undefined;
		render(form ? this.#renderForm(form) : nothing, this.#root);
		// an item that was moved keeps the focus
		if (active instanceof HTMLElement && this.#root.contains(active)) {
			const button = active.matches(':disabled') ? active.parentElement?.querySelector<HTMLElement>('button:not(:disabled)') : undefined;
			if (button || active !== document.activeElement) {
				(button ?? active).focus();
			}
		}
		// custom elements render one microtask later
		queueMicrotask(() => this.#focusAddedField());
	}

	#runPendingAdditions(): void {
		const ready = this.#later.filter(({ path }) => !this.#form.isAwaitingItem(path));
		const [next] = ready;
		if (next) {
			this.#later = this.#later.filter(each => each !== next);
			this.#addItemWhenReady(next.path, next.act);
		}
	}

	#addItemWhenReady(path: NodeFormField['path'], act: (field: NodeFormField) => void): void {
		const field = this.#form.shown && findField(this.#form.shown, path);
		if (this.#form.isAwaitingItem(path)) {
			this.#later = [...this.#later, { path, act }];
		} else if (field) {
			act(field);
		}
	}

	#renderForm(form: NodeForm): unknown {
		const { strings } = this.#page;
		const fields = this.#createFieldPage(form);
		return keyed(
			this.#key,
			html`<form class="nodeForm" aria-label=${fill(strings.form, form.title)} @submit=${(event: Event) => event.preventDefault()} @keydown=${(event: KeyboardEvent) => this.#handleKey(event)}>
			${form.editable ? nothing : html`<p class="fieldNote">${strings.readOnly}</p>`}
			${form.faults.map(fault => html`<p class="fieldFault"><span class="codicon codicon-error" aria-hidden="true"></span>${fault}</p>`)}
			${form.node === undefined ? nothing : renderIdField(form, form.node, fields)}
			${form.sections.map(section => this.#renderSection(section, fields))}
			${form.others.length > 0 ? html`<div class="field"><span class="label">${strings.others}</span><p class="fieldHelp">${strings.othersHelp}</p><code>${form.others.join(', ')}</code></div>` : nothing}
		</form>`,
		);
	}

	/** Focuses the field that was just added. */
	#focusAddedField(): void {
		const id = this.#wanted;
		const place = id === undefined ? null : (document.getElementById(id) ?? document.getElementById(`${id}-item`));
		const input = place?.matches('input, textarea, select') ? place : place?.querySelector('input:not([type="radio"]), textarea, select');
		if (input instanceof HTMLElement) {
			this.#wanted = undefined;
			input.focus();
			// typing replaces the initial value of a new item
			if (input instanceof HTMLInputElement) {
				input.select();
			}
		}
	}

	#renderSection({ id, fields }: FormSection, page: FieldPage): unknown {
		const { strings } = this.#page;
		const key = `section ${id}`;
		if (id === 'main') {
			return renderGroup({ fields, path: [] }, page);
		}
		const shown = id === 'kept' ? fields.filter(({ written }) => written) : fields;
		if (shown.length === 0) {
			return nothing;
		}
		const isOpen = page.isOpen(key) || shown.some(({ faults }) => faults.length > 0);
		return html`<details ?open=${isOpen} @toggle=${(event: Event) => page.setOpen(key, (event.currentTarget as HTMLDetailsElement).open)}>
			<summary>${strings[id]}</summary>
			${isOpen ? html`<div class="fieldGroup">${shown.map(field => page.renderField(field))}</div>` : nothing}
		</details>`;
	}

	#createFieldPage(form: NodeForm): FieldPage {
		const page: FieldPage = {
			form,
			strings: this.#page.strings,
			renderField: field => renderField(field, page),
			renderInput: (field, label) => renderInput(field, page, label),
			edit: operation => {
				if (operation.do === 'rename') {
					this.#renaming = operation;
				}
				this.#form.addRequest(this.#page.edit(operation), operation);
				this.#drawing.requestDrawing();
			},
			// the input already shows what is typed
			sendTyped: operation => this.#form.addRequest(this.#page.sendTyped(operation), operation),
			add: (path, act) => this.#addItemWhenReady(path, act),
			openCode: path => form.node !== undefined && this.#page.openCode(form.node, path),
			focusLater: path => {
				this.#wanted = getInputId({ path });
			},
			isOpen: key => this.#open.has(key),
			setOpen: (key, open) => {
				if (this.#open.has(key) !== open) {
					this.#open[open ? 'add' : 'delete'](key);
					this.#drawing.requestDrawing();
				}
			},
		};
		return page;
	}

	/** Undo and redo apply to the document, whose last change is the typed text. Escape returns to the canvas. */
	#handleKey(event: KeyboardEvent): void {
		const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
		const isRedo = (isUndo && event.shiftKey) || (event.ctrlKey && event.key.toLowerCase() === 'y');
		if (isUndo || isRedo) {
			event.preventDefault();
			event.stopPropagation();
			const input = (event.target as Element).closest('draft-input');
			if (input instanceof DraftInput) {
				input.expectUndo();
			}
			this.#page[isRedo ? 'redo' : 'undo']();
		} else if (event.key === 'Escape') {
			event.preventDefault();
			event.stopPropagation();
			this.#page.leave();
		}
	}
}

/** Renders the ID of the node. Changing it is a separate operation, because references to the node change too. */
function renderIdField({ editable }: NodeForm, node: string, page: FieldPage): unknown {
	const { strings } = page;
	const commitId = (id: unknown, paused: boolean) => paused && id !== node && page.edit({ do: 'rename', node, id: String(id) });
	return html`<div class="field"><label for="field-id-of-node">${strings.id}</label>
		<draft-input .inputId=${'field-id-of-node'} .value=${node} .off=${!editable} .described=${'field-id-of-node-help'} .invalid=${false} .strings=${strings} .read=${(text: string) => ({ value: text.trim() })} .commit=${commitId}></draft-input>
		<p class="fieldHelp" id="field-id-of-node-help">${strings.idHelp}</p></div>`;
}

/** Finds the field at a path of a form. */
function findField({ sections }: NodeForm, path: NodeFormField['path']): NodeFormField | undefined {
	const findInFields = (fields: readonly NodeFormField[]): NodeFormField | undefined => {
		for (const field of fields) {
			if (field.path.every((key, at) => key === path[at])) {
				return field.path.length === path.length ? field : findInFields(getInnerFields(field));
			}
		}
		return undefined;
	};
	return findInFields(sections.flatMap(({ fields }) => fields));
}
