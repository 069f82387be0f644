import { html, LitElement, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { getOwnField } from '#base/records/ownField.ts';
import type { FileSource } from '#runs/forms/formAnswer.ts';
import type { FormStrings } from '#runs/forms/formStrings.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import { checkField, parseFieldDraft, toFieldDraft } from './fieldValues.ts';
import type { FieldFile, FormDraft } from './formDraft.ts';
import { FormFields } from './formFields.ts';

/** Filled-in inputs: values for a run, and files by field. */
export interface FilledInputs {
	readonly values: Readonly<Record<string, unknown>>;
	readonly files: Readonly<Record<string, readonly FieldFile[]>>;
}

/** Callbacks that a form for inputs needs from its page. */
export interface InputFormPage {
	readonly strings: FormStrings;
	/** The saved draft; without one, the last sent values are used. */
	getDraft(): FormDraft | undefined;
	saveDraft(draft: FormDraft): void;
	chooseFiles(field: FormField, from: FileSource): void;
}

/**
 * `<input-form>`: the fields for the inputs of an agent. Renders without a shadow root, so that the styles of the page apply. The page
 * saves the draft.
 */
export class InputFormElement extends LitElement {
	static override properties = {
		form: { attribute: false },
		fields: { attribute: false },
		last: { attribute: false },
		page: { attribute: false },
	};

	/** Identifies the form, because another one can replace it. */
	declare form: string;
	declare fields: readonly FormField[];
	/** Values that were sent last. */
	declare last: Readonly<Record<string, unknown>>;
	declare page: InputFormPage;
	readonly #filled = new FormFields(this.#createOwner());
	#shown: string | undefined;

	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
		if (this.#shown !== this.form) {
			this.#shown = this.form;
			this.#filled.start(this.form, this.fields, this.page.getDraft() ?? this.#createLastDraft());
		} else if (changed.has('fields')) {
			this.#filled.setFields(this.fields);
		}
	}

	protected override render(): TemplateResult {
		return html`${repeat(
			this.fields,
			({ name }) => name,
			field => this.#filled.renderField(field),
		)}`;
	}

	/** Returns the inputs if all are valid; otherwise shows the problems and focuses the first one. */
	checkInputs(): FilledInputs | undefined {
		return this.#filled.checkFields() ? this.getFilledInputs() : undefined;
	}

	/** Returns the valid inputs. */
	getFilledInputs(): FilledInputs {
		const { values } = this.#filled;
		const right = this.fields.filter(field => !checkField(field, values[field.name], this.page.strings));
		return {
			values: Object.fromEntries(
				right.flatMap(field => {
					const value = parseFieldDraft(field, values[field.name]);
					return value === undefined ? [] : [[field.name, value]];
				}),
			),
			files: Object.fromEntries(
				right.flatMap(({ name }) => {
					const files = values[name];
					return typeof files === 'object' && files.length > 0 ? [[name, files]] : [];
				}),
			),
		};
	}

	/** Applies files that were chosen for a field. */
	applyFiles(field: string, files: readonly FieldFile[]): void {
		this.#filled.applyFiles(field, files);
	}

	/** Restores the initial values. */
	resetValues(): void {
		this.#filled.start(this.form, this.fields, {});
		this.page.saveDraft(this.#filled.values);
		this.requestUpdate();
	}

	focusFirst(): void {
		void this.updateComplete.then(() => this.querySelector<HTMLElement>('input, textarea, select, button')?.focus());
	}

	#createLastDraft(): FormDraft {
		return Object.fromEntries(
			this.fields.flatMap(field => {
				const draft = toFieldDraft(field, getOwnField(this.last, field.name), this.page.strings);
				return draft === undefined ? [] : [[field.name, draft]];
			}),
		);
	}

	#createOwner() {
		const element = this;
		return {
			get strings() {
				return element.page.strings;
			},
			root: element,
			requestUpdate: () => element.requestUpdate(),
			onChange: (values: FormDraft) => element.page.saveDraft(values),
			chooseFiles: (field: FormField, from: FileSource) => element.page.chooseFiles(field, from),
		};
	}
}

customElements.define('input-form', InputFormElement);
