import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { fill } from '../shared/fill.ts';
import type { FieldFile, FormDraft } from '../shared/form/formDraft.ts';
import { type FilledInputs, InputFormElement, type InputFormPage } from '../shared/form/inputForm.ts';
import type { FromPanel, PanelHead } from './panel/panelProtocol.ts';
import type { PanelStrings } from './panel/panelStrings.ts';

/** Saves state that survives hiding and reloading the page. */
interface InputsKeeper {
	readonly drafts: Readonly<Record<string, FormDraft>>;
	saveDrafts(drafts: Record<string, FormDraft>): void;
	/** Keys of collapsed forms. */
	readonly folded: readonly string[];
	saveFolded(folded: readonly string[]): void;
}

interface InputsPaneParts {
	readonly root: HTMLElement;
	readonly keeper: InputsKeeper;
	post(message: FromPanel): void;
}

/** Maximum number of saved drafts. */
const mostDrafts = 20;
/** Delay after typing before the host gets the values, in milliseconds. */
const pauseMs = 300;

/** The form for an agent's inputs, above the message box. */
export class InputsPane {
	readonly #parts: InputsPaneParts;
	#head: PanelHead | undefined;
	#page: InputFormPage | undefined;
	#timer: number | undefined;
	/** Fields of the form. Stays the same object while the content is equal. */
	#fields: NonNullable<PanelHead['inputs']>['fields'] = [];

	constructor(parts: InputsPaneParts) {
		this.#parts = parts;
	}

	render(head: PanelHead, strings: PanelStrings): unknown {
		this.#head = head;
		const { inputs } = head;
		if (!inputs || inputs.fields.length === 0) {
			return nothing;
		}
		this.#page ??= this.#createPage(strings);
		if (JSON.stringify(this.#fields) !== JSON.stringify(inputs.fields)) {
			this.#fields = inputs.fields;
		}
		const isFolded = this.#isFolded;
		return html`<details class="inputs" ?open=${!isFolded} @toggle=${(event: Event) => this.#setCollapsed(!(event.currentTarget as HTMLDetailsElement).open)}>
			<summary>${isFolded ? this.#renderSummary(head, strings) : fill(strings.inputs, head.model)}</summary>
			<input-form class="formFields" .form=${this.#getFormKey()} .fields=${this.#fields} .last=${(head.settings['inputs'] ?? {}) as Record<string, unknown>} .page=${this.#page}></input-form>
		</details>`;
	}

	/** Renders the filled-in values on one line. */
	#renderSummary(head: PanelHead, strings: PanelStrings): unknown {
		const values = (head.settings['inputs'] ?? {}) as Record<string, unknown>;
		const filled = this.#fields.flatMap(({ name, label }) => {
			const value = getOwnField(values, name);
			return value === undefined || value === '' || value === false ? [] : [fill(strings.answered, label ?? name, formatInputValue(value))];
		});
		return html`<span class="codicon codicon-edit" aria-hidden="true"></span>${filled.length === 0 ? fill(strings.inputs, head.model) : filled.join(' · ')}`;
	}

	get #isFolded(): boolean {
		return this.#parts.keeper.folded.includes(this.#getFormKey());
	}

	#setCollapsed(isFolded: boolean): void {
		const { keeper } = this.#parts;
		if (isFolded !== this.#isFolded) {
			const others = keeper.folded.filter(key => key !== this.#getFormKey()).slice(1 - mostDrafts);
			keeper.saveFolded(isFolded ? [...others, this.#getFormKey()] : others);
		}
	}

	/** Adds files that were chosen for a field. */
	addFiles(field: string, files: readonly FieldFile[]): void {
		this.#form?.applyFiles(field, files);
	}

	/**
	 * Checks the inputs, sends them to the host and collapses the form. Returns false, expands the form and focuses the first problem if a
	 * value isn't valid.
	 */
	checkBeforeSend(): boolean {
		const form = this.#form;
		if (!form) {
			return true;
		}
		const details = form.closest('details');
		if (details) {
			// collapsed fields can't get the focus
			details.open = true;
		}
		const filled = form.checkInputs();
		if (filled) {
			this.#postValues(filled);
			if (details) {
				details.open = false;
			}
			this.#setCollapsed(true);
		}
		return filled !== undefined;
	}

	get #form(): InputFormElement | undefined {
		const element = this.#parts.root.querySelector('details.inputs input-form');
		return element instanceof InputFormElement ? element : undefined;
	}

	#getFormKey(): string {
		return `${this.#head?.chatId} ${this.#head?.inputs?.id}`;
	}

	#createPage({ form }: PanelStrings): InputFormPage {
		const { keeper, post } = this.#parts;
		return {
			strings: form,
			getDraft: () => keeper.drafts[this.#getFormKey()],
			saveDraft: draft => {
				const { [this.#getFormKey()]: _, ...others } = keeper.drafts;
				keeper.saveDrafts({ ...Object.fromEntries(Object.entries(others).slice(1 - mostDrafts)), [this.#getFormKey()]: draft });
				clearTimeout(this.#timer);
				this.#timer = window.setTimeout(() => this.#form && this.#postValues(this.#form.getFilledInputs()), pauseMs);
			},
			chooseFiles: ({ name }, from) => post({ type: 'chooseInputFiles', field: name, from }),
		};
	}

	/** Sends the values; files are already uploaded and are sent as values. */
	#postValues({ values, files }: FilledInputs): void {
		clearTimeout(this.#timer);
		const sent = this.#fields.flatMap(({ name, kind }): [string, unknown][] => {
			const uploaded = (getOwnField(files, name) ?? []).flatMap(file => ('file' in file ? [file.file] : []));
			return uploaded.length === 0 ? [] : [[name, kind === 'file' ? uploaded[0] : uploaded]];
		});
		this.#parts.post({ type: 'setting', name: 'inputs', value: { ...values, ...Object.fromEntries(sent) } });
	}
}

function formatInputValue(value: unknown): string {
	const named = typeof value === 'object' && value !== null && 'filename' in value ? value.filename : value;
	return typeof named === 'string' ? named : JSON.stringify(named);
}
