import { html, nothing, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { FormField, FormOperation, FormSection, NodeForm } from '../../../graph/forms/formTypes.ts';
import type { NodeFormStrings } from '../../../graph/forms/nodeFormStrings.ts';
import { fill } from '../../shared/fill.ts';
import './draftInput.ts';
import { type FieldPage, inputId } from './fieldPage.ts';
import { fieldView, inputView } from './fieldView.ts';
import { groupField } from './groupField.ts';

/** What a form asks of the page that it stands in. */
export interface NodeFormPage {
	readonly strings: NodeFormStrings;
	edit(operation: FormOperation): void;
	typed(operation: FormOperation): void;
	openCode(node: string, path: FormField['path']): void;
	undo(): void;
	redo(): void;
	/** The keyboard goes back to the canvas. */
	leave(): void;
}

/** The form of the selected node: drawn of what the host makes of the text, and of nothing else. */
export class NodeFormPane {
	readonly #root: HTMLElement;
	readonly #page: NodeFormPage;
	readonly #open = new Set<string>();
	#form: NodeForm | undefined;
	#wanted: string | undefined;
	/** The node whose form has these elements: a node that gets another ID keeps them, and the focus in them. */
	#key = '';
	#renaming: { readonly node: string | undefined; readonly id: string } | undefined;

	/** @param root where it stands; hidden while there is none */
	constructor(root: HTMLElement, page: NodeFormPage) {
		this.#root = root;
		this.#page = page;
	}

	/** Takes the form as the text has it now; none where no single node is selected. */
	receive(form: NodeForm | undefined): void {
		const isOther = form === undefined || form.node !== this.#form?.node;
		const { node = '' } = form ?? {};
		if (isOther && !(this.#renaming && this.#renaming.id === node && this.#renaming.node === this.#form?.node)) {
			this.#key = node;
		}
		this.#form = form;
		this.#render();
		if (isOther) {
			this.#root.scrollTop = 0;
		}
	}

	/** Puts the focus on the first field. */
	focus(): void {
		this.#root.querySelector<HTMLElement>('input, textarea, select')?.focus();
	}

	#render(): void {
		const form = this.#form;
		this.#root.hidden = form === undefined;
		render(form ? this.#view(form) : nothing, this.#root);
		// what draws itself does so a little later
		queueMicrotask(() => this.#focusWanted());
	}

	#view(form: NodeForm): unknown {
		const { strings } = this.#page;
		const fields = this.#fieldPage(form);
		return keyed(
			this.#key,
			html`<form class="nodeForm" aria-label=${fill(strings.form, form.title)} @submit=${(event: Event) => event.preventDefault()} @keydown=${(event: KeyboardEvent) => this.#pressed(event)}>
			<p class="fieldHelp">${form.type}${form.about ? ` · ${form.about}` : ''}</p>
			${form.editable ? nothing : html`<p class="fieldNote">${strings.readOnly}</p>`}
			${form.faults.map(fault => html`<p class="fieldFault"><span class="codicon codicon-error" aria-hidden="true"></span>${fault}</p>`)}
			${form.node === undefined ? nothing : idField(form, form.node, fields)}
			${form.sections.map(section => this.#section(section, fields))}
			${form.others.length > 0 ? html`<div class="field"><span class="label">${strings.others}</span><p class="fieldHelp">${strings.othersHelp}</p><code>${form.others.join(', ')}</code></div>` : nothing}
		</form>`,
		);
	}

	/** What was added is typed in next. */
	#focusWanted(): void {
		const id = this.#wanted;
		const place = id === undefined ? null : (document.getElementById(id) ?? document.getElementById(`${id}-item`));
		const input = place?.matches('input, textarea, select') ? place : place?.querySelector('input:not([type="radio"]), textarea, select');
		if (input instanceof HTMLElement) {
			this.#wanted = undefined;
			input.focus();
			// what a new item holds at first makes room for what is typed
			if (input instanceof HTMLInputElement) {
				input.select();
			}
		}
	}

	#section({ id, fields }: FormSection, page: FieldPage): unknown {
		const { strings } = this.#page;
		const key = `section ${id}`;
		if (id === 'main') {
			return groupField({ fields, path: [] }, page);
		}
		const shown = id === 'kept' ? fields.filter(({ written }) => written) : fields;
		if (shown.length === 0) {
			return nothing;
		}
		const isOpen = page.isOpen(key) || shown.some(({ faults }) => faults.length > 0);
		return html`<details ?open=${isOpen} @toggle=${(event: Event) => page.setOpen(key, (event.currentTarget as HTMLDetailsElement).open)}>
			<summary>${strings[id]}</summary>
			${isOpen ? html`<div class="fieldGroup">${shown.map(field => page.field(field))}</div>` : nothing}
		</details>`;
	}

	#fieldPage(form: NodeForm): FieldPage {
		const page: FieldPage = {
			form,
			strings: this.#page.strings,
			field: field => fieldView(field, page),
			input: (field, label) => inputView(field, page, label),
			edit: operation => {
				if (operation.do === 'rename') {
					this.#renaming = operation;
				}
				this.#page.edit(operation);
			},
			typed: operation => this.#page.typed(operation),
			openCode: path => form.node !== undefined && this.#page.openCode(form.node, path),
			focusLater: path => {
				this.#wanted = inputId({ path });
			},
			isOpen: key => this.#open.has(key),
			setOpen: (key, open) => {
				if (this.#open.has(key) !== open) {
					this.#open[open ? 'add' : 'delete'](key);
					this.#render();
				}
			},
		};
		return page;
	}

	/** Undo is the document's, whose last change is what was typed; Escape leads back to the canvas. */
	#pressed(event: KeyboardEvent): void {
		const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
		const isRedo = (isUndo && event.shiftKey) || (event.ctrlKey && event.key.toLowerCase() === 'y');
		if (isUndo || isRedo) {
			event.preventDefault();
			event.stopPropagation();
			this.#page[isRedo ? 'redo' : 'undo']();
		} else if (event.key === 'Escape') {
			event.preventDefault();
			event.stopPropagation();
			this.#page.leave();
		}
	}
}

/** The ID of the node: another one is another operation, because references follow. */
function idField({ editable }: NodeForm, node: string, page: FieldPage): unknown {
	const { strings } = page;
	const commit = (id: unknown, paused: boolean) => paused && id !== node && page.edit({ do: 'rename', node, id: String(id) });
	return html`<div class="field"><label for="field-id-of-node">${strings.id}</label>
		<draft-input .inputId=${'field-id-of-node'} .value=${node} .off=${!editable} .described=${'field-id-of-node-help'} .invalid=${false} .strings=${strings} .read=${(text: string) => ({ value: text.trim() })} .commit=${commit}></draft-input>
		<p class="fieldHelp" id="field-id-of-node-help">${strings.idHelp}</p></div>`;
}
