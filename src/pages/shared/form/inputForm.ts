import { html, LitElement, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ownField } from '#base/records/ownField.ts';
import type { FileSource } from '#runs/forms/formAnswer.ts';
import type { FormStrings } from '#runs/forms/formStrings.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import { draftOfValue, fieldProblem, fieldValue } from './fieldValues.ts';
import type { FieldFile, FormDraft } from './formDraft.ts';
import { FormFields } from './formFields.ts';

/** What is filled in: values as a run takes them, and the files of its fields. */
export interface FilledInputs {
	readonly values: Readonly<Record<string, unknown>>;
	readonly files: Readonly<Record<string, readonly FieldFile[]>>;
}

/** What a form for inputs asks of its page. */
export interface InputFormPage {
	readonly strings: FormStrings;
	/** What was filled in so far; without, what was sent last. */
	draft(): FormDraft | undefined;
	keep(draft: FormDraft): void;
	choose(field: FormField, from: FileSource): void;
}

/** `<input-form>`: the fields for the inputs of an agent. It renders into itself, so that the page's styles hold; what is filled in is kept by its page. */
export class InputFormElement extends LitElement {
	static override properties = {
		form: { attribute: false },
		fields: { attribute: false },
		last: { attribute: false },
		page: { attribute: false },
	};

	/** Tells one form from another that takes its place. */
	declare form: string;
	declare fields: readonly FormField[];
	/** What was sent last, as it was sent. */
	declare last: Readonly<Record<string, unknown>>;
	declare page: InputFormPage;
	readonly #filled = new FormFields(this.#owner());
	#shown: string | undefined;

	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
		if (this.#shown !== this.form) {
			this.#shown = this.form;
			this.#filled.begin(this.form, this.fields, this.page.draft() ?? this.#lastDraft());
		} else if (changed.has('fields')) {
			this.#filled.change(this.fields);
		}
	}

	protected override render(): TemplateResult {
		return html`${repeat(
			this.fields,
			({ name }) => name,
			field => this.#filled.view(field),
		)}`;
	}

	/** What is filled in, once nothing is wrong with it; else what is wrong stands beside its field, and the first has the focus. */
	check(): FilledInputs | undefined {
		return this.#filled.check() ? this.filled() : undefined;
	}

	/** What is filled in, without what is wrong. */
	filled(): FilledInputs {
		const { values } = this.#filled;
		const right = this.fields.filter(field => !fieldProblem(field, values[field.name], this.page.strings));
		return {
			values: Object.fromEntries(
				right.flatMap(field => {
					const value = fieldValue(field, values[field.name]);
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

	/** Takes files that were chosen for a field. */
	take(field: string, files: readonly FieldFile[]): void {
		this.#filled.take(field, files);
	}

	/** Fills in what the agent begins with. */
	reset(): void {
		this.#filled.begin(this.form, this.fields, {});
		this.page.keep(this.#filled.values);
		this.requestUpdate();
	}

	/** Puts the focus into the first field. */
	focusFirst(): void {
		void this.updateComplete.then(() => this.querySelector<HTMLElement>('input, textarea, select, button')?.focus());
	}

	#lastDraft(): FormDraft {
		return Object.fromEntries(
			this.fields.flatMap(field => {
				const draft = draftOfValue(field, ownField(this.last, field.name), this.page.strings);
				return draft === undefined ? [] : [[field.name, draft]];
			}),
		);
	}

	#owner() {
		const element = this;
		return {
			get strings() {
				return element.page.strings;
			},
			root: element,
			requestUpdate: () => element.requestUpdate(),
			changed: (values: FormDraft) => element.page.keep(values),
			choose: (field: FormField, from: FileSource) => element.page.choose(field, from),
		};
	}
}

customElements.define('input-form', InputFormElement);
