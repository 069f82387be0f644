import { html, nothing, type TemplateResult } from 'lit';
import type { FileSource } from '#runs/forms/formAnswer.ts';
import type { FormStrings } from '#runs/forms/formStrings.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import { renderProblemLine } from './fieldParts.ts';
import { checkField, type FieldProblem } from './fieldValues.ts';
import { renderFileField } from './fileField.ts';
import { type FieldFile, type FormDraft, fillFields } from './formDraft.ts';

/** The element that contains the fields. */
interface FieldsElement {
	readonly strings: FormStrings;
	/** The container of the fields. */
	readonly root: HTMLElement;
	requestUpdate(): void;
	/** Called when the user changes a value. */
	onChange(values: FormDraft): void;
	chooseFiles(field: FormField, from: FileSource): void;
}

/** The fields of a form: values, problems and rendering. */
export class FormFields {
	readonly #element: FieldsElement;
	#id = '';
	#fields: readonly FormField[] = [];
	#values: FormDraft = {};
	readonly #problems = new Map<string, FieldProblem>();

	constructor(element: FieldsElement) {
		this.#element = element;
	}

	get values(): FormDraft {
		return this.#values;
	}

	/** Shows a form. `id` makes the IDs of its elements unique on the page; `given` are values that are already filled in. */
	start(id: string, fields: readonly FormField[], given: FormDraft): void {
		this.#id = id;
		this.#problems.clear();
		this.#values = fillFields(fields, given);
		this.#fields = fields;
	}

	/** Updates labels and rules of the same form. Values are kept if their fields accept them. */
	setFields(fields: readonly FormField[]): void {
		this.#fields = fields;
		this.#values = fillFields(fields, this.#values);
		for (const field of fields) {
			const problem = this.#problems.has(field.name) && this.#findProblem(field);
			if (problem) {
				this.#problems.set(field.name, problem);
			} else {
				this.#problems.delete(field.name);
			}
		}
	}

	/** Applies files that were chosen for a field: replaces the file of a single-file field, otherwise adds them. */
	applyFiles(name: string, files: readonly FieldFile[]): void {
		const field = this.#fields.find(each => each.name === name);
		if (field) {
			const before = this.#values[name];
			this.#setValue(field, field.kind === 'file-list' && typeof before === 'object' ? [...before, ...files] : files);
		}
	}

	/** Checks all fields, shows problems and focuses the first one. Returns true if there are none. */
	checkFields(): boolean {
		this.#problems.clear();
		for (const field of this.#fields) {
			const problem = this.#findProblem(field);
			if (problem) {
				this.#problems.set(field.name, problem);
			}
		}
		this.#element.requestUpdate();
		const first = this.#fields.find(({ name }) => this.#problems.has(name));
		if (first) {
			this.#focusField(first);
		}
		return first === undefined;
	}

	renderField(field: FormField, off = false): TemplateResult {
		if (field.kind === 'file' || field.kind === 'file-list') {
			const value = this.#values[field.name];
			return renderFileField({
				field,
				id: this.#getFieldId(field),
				files: typeof value === 'object' ? value : [],
				off,
				strings: this.#element.strings,
				problem: this.#problems.get(field.name)?.text,
				choose: from => this.#element.chooseFiles(field, from),
				set: files => this.#setValue(field, files),
			});
		}
		const id = this.#getFieldId(field);
		const control = this.#renderControl(field, id, off);
		const mark = field.required
			? html`<span class="requiredMark" aria-hidden="true" title=${this.#element.strings.required}>*</span>`
			: nothing;
		return html`<div class="formField">
			${
				field.kind === 'checkbox'
					? html`<label class="checkLabel" for=${id}>${control}<span>${field.label ?? field.name}</span></label>`
					: html`<label for=${id}>${field.label ?? field.name}${mark}</label>${control}`
			}
			${field.help ? html`<p class="help" id="${id}-hint">${field.help}</p>` : nothing}
			${renderProblemLine(id, this.#problems.get(field.name)?.text)}
		</div>`;
	}

	#renderControl(field: FormField, id: string, off: boolean): TemplateResult {
		const { name, kind, help, required, options } = field;
		const text = this.#getFieldText(name);
		const invalid = this.#problems.has(name);
		const described = [...(help ? [`${id}-hint`] : []), ...(invalid ? [`${id}-problem`] : [])].join(' ') || nothing;
		const onInput = (event: Event) => this.#setValue(field, (event.target as HTMLTextAreaElement).value);
		const onBlur = () => this.#checkAfterBlur(field);
		const wrong = invalid ? 'true' : nothing;
		switch (kind) {
			case 'checkbox':
				return html`<input type="checkbox" id=${id} aria-describedby=${described} ?disabled=${off} .checked=${text === 'true'} @change=${(event: Event) => this.#setValue(field, String((event.target as HTMLInputElement).checked))}>`;
			case 'select':
				return html`<select id=${id} ?required=${required} aria-invalid=${wrong} aria-describedby=${described} ?disabled=${off} @change=${onInput}>
					${text === '' || !required ? html`<option value="" ?selected=${text === ''}>${required ? this.#element.strings.choose : ''}</option>` : nothing}
					${options.map(option => html`<option value=${option} ?selected=${option === text}>${option}</option>`)}
				</select>`;
			case 'text':
			case 'number':
				return html`<input type="text" id=${id} dir="auto" inputmode=${kind === 'number' ? 'decimal' : nothing} aria-required=${required ? 'true' : nothing} aria-invalid=${wrong} aria-describedby=${described} ?disabled=${off} .value=${text} @input=${onInput} @change=${onBlur}>`;
			default:
				return html`<textarea id=${id} rows="3" class=${kind === 'json' ? 'codeText' : nothing} dir=${kind === 'json' ? 'ltr' : 'auto'} spellcheck=${kind === 'json' ? 'false' : nothing} aria-required=${required ? 'true' : nothing} aria-invalid=${wrong} aria-describedby=${described} ?disabled=${off} .value=${text} @input=${onInput} @change=${onBlur}></textarea>`;
		}
	}

	/** Checks a field after blur; a required field that is still empty isn't a problem yet. */
	#checkAfterBlur(field: FormField): void {
		const problem = this.#findProblem(field);
		if (problem && !problem.missing) {
			this.#problems.set(field.name, problem);
			this.#element.requestUpdate();
		}
	}

	#findProblem(field: FormField): FieldProblem | undefined {
		return checkField(field, this.#values[field.name], this.#element.strings);
	}

	#setValue({ name }: FormField, value: FormDraft[string]): void {
		this.#values = { ...this.#values, [name]: value };
		this.#problems.delete(name);
		this.#element.onChange(this.#values);
		this.#element.requestUpdate();
	}

	#getFieldText(name: string): string {
		const value = this.#values[name];
		return typeof value === 'string' ? value : '';
	}

	#getFieldId(field: FormField): string {
		return `${this.#id}-${this.#fields.findIndex(({ name }) => name === field.name)}`;
	}

	#focusField(field: FormField): void {
		const control = this.#element.root.querySelector<HTMLElement>(`#${CSS.escape(this.#getFieldId(field))}`);
		control?.focus();
		const at = this.#problems.get(field.name)?.at;
		if (at !== undefined && control instanceof HTMLTextAreaElement) {
			control.setSelectionRange(at, at);
		}
	}
}
