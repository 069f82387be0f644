import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { FileSource, FormAnswerMessage, FormNews } from '#runs/forms/formAnswer.ts';
import type { FormStrings } from '#runs/forms/formStrings.ts';
import { type FormField, type RunForm, splitFormContent } from '#runs/forms/runForm.ts';
import { fill } from '../fill.ts';
import { formatMoment } from '../format.ts';
import type { FormDraft } from './formDraft.ts';
import { FormFields } from './formFields.ts';

/** Callbacks that a form needs from its page. */
export interface FormPage {
	readonly strings: FormStrings;
	/** Returns an element that shows a Markdown text; always the same element for the same ID. */
	getMarkdownElement(id: string, text: string): HTMLElement;
	submit(form: RunForm, answer: FormAnswerMessage): void;
	chooseFiles(form: RunForm, field: FormField, from: FileSource): void;
	/** The saved draft. */
	getDraft(form: RunForm): FormDraft | undefined;
	saveDraft(form: RunForm, draft: FormDraft): void;
}

/**
 * `<run-form>`: a form that a run waits for. Renders without a shadow root, so that the styles of the page apply. The page saves the draft
 * until the form is gone, also after a failed submit.
 */
export class RunFormElement extends LitElement {
	static override properties = {
		form: { attribute: false },
		page: { attribute: false },
		problem: { state: true },
		sending: { state: true },
		closed: { state: true },
	};

	declare form: RunForm;
	declare page: FormPage;
	declare private problem: string;
	declare private sending: boolean;
	/** True if the form can't be submitted any more. */
	declare private closed: boolean;
	readonly #fields = new FormFields(this.#createOwner());
	#shown: string | undefined;

	constructor() {
		super();
		this.problem = '';
		this.sending = false;
		this.closed = false;
	}

	/** Applies an update from the host. */
	applyFormNews(news: FormNews): void {
		if (news.type === 'formProblem') {
			this.sending = false;
			this.closed = news.closed;
			this.problem = news.problem;
			return;
		}
		this.#fields.applyFiles(news.field, news.files);
	}

	/** Focuses the first field or button without scrolling, so that the text before it stays visible. */
	focusFirst(): void {
		void this.updateComplete.then(() =>
			this.querySelector<HTMLElement>('textarea, select, input, .formButtons button, button')?.focus({ preventScroll: true }),
		);
	}

	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	protected override willUpdate(): void {
		if (this.#shown !== this.form.id) {
			this.#shown = this.form.id;
			this.#fields.start(this.form.id, this.form.inputs, this.page.getDraft(this.form) ?? {});
		}
	}

	protected override render(): TemplateResult {
		const { form, page } = this;
		const { strings } = page;
		return html`<form class="runForm" aria-label=${fill(strings.form, form.title)} aria-busy=${this.sending ? 'true' : 'false'} @submit=${(event: Event) => event.preventDefault()}>
			<div class="formHead">
				<span class="codicon codicon-checklist" aria-hidden="true"></span>
				<h2>${form.title}</h2>
				${this.#renderExpiry()}
			</div>
			${splitFormContent(form).map((piece, place) => ('text' in piece ? page.getMarkdownElement(`${form.id}/${place}`, piece.text) : this.#fields.renderField(piece.input, this.closed || form.token === undefined)))}
			${form.token === undefined ? html`<p class="note">${fill(strings.notAnswerable, form.title)}</p>` : this.#renderButtons()}
		</form>`;
	}

	#renderExpiry(): unknown {
		const { strings } = this.page;
		const { expiresAt } = this.form;
		if (expiresAt === undefined) {
			return nothing;
		}
		const moment = formatMoment(expiresAt);
		return html`<span class="dim">${fill(expiresAt < Date.now() ? strings.expired : strings.expires, moment)}</span>`;
	}

	#renderButtons(): unknown {
		const { strings } = this.page;
		return html`
			<p class="formProblem" role="alert">${this.problem === '' ? nothing : html`<span class="codicon codicon-error" aria-hidden="true"></span>${this.problem}`}</p>
			<div class="row formButtons">
				${this.form.actions.map(
					({ id, title, style }) =>
						html`<button type="button" class="formButton ${style}" ?disabled=${this.sending || this.closed} @click=${() => this.#submitForm(id)}>${title}</button>`,
				)}
				<span class="dim" role="status">${this.sending ? strings.sending : nothing}</span>
			</div>`;
	}

	#createOwner() {
		const element = this;
		return {
			get strings() {
				return element.page.strings;
			},
			root: element,
			requestUpdate: () => element.requestUpdate(),
			onChange: (values: FormDraft) => element.page.saveDraft(element.form, values),
			chooseFiles: (field: FormField, from: FileSource) => element.page.chooseFiles(element.form, field, from),
		};
	}

	#submitForm(action: string): void {
		this.problem = '';
		if (this.#fields.checkFields()) {
			this.sending = true;
			this.page.submit(this.form, { action, values: this.#fields.values as FormAnswerMessage['values'] });
		}
	}
}

customElements.define('run-form', RunFormElement);
