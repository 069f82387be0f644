import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { FormNews } from '#runs/forms/formAnswer.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import { type FormDraft, pickDrafts } from '../shared/form/formDraft.ts';
import type { FormPage } from '../shared/form/runForm.ts';
import { RunFormElement } from '../shared/form/runForm.ts';
import type { FromInspector } from './inspectorMessages.ts';
import type { InspectorStrings } from './inspectorStrings.ts';

/** Drafts that survive hiding and reloading the page. */
interface FormsKeeper {
	readonly drafts: Readonly<Record<string, FormDraft>>;
	saveDrafts(drafts: Readonly<Record<string, FormDraft>>): void;
}

interface FormsPaneParts {
	readonly root: HTMLElement;
	readonly keeper: FormsKeeper;
	getMarkdownElement(id: string, text: string): HTMLElement;
	post(message: FromInspector): void;
}

/** Shows the forms that the run is waiting for. */
export class FormsPane {
	readonly #parts: FormsPaneParts;
	#forms: readonly RunForm[] = [];
	#page: FormPage | undefined;

	constructor(parts: FormsPaneParts) {
		this.#parts = parts;
	}

	/** Stores the open forms. Returns the titles of new forms, and true for `gone` if an earlier form is gone. */
	receiveForms(forms: readonly RunForm[]): { readonly came: readonly string[]; readonly gone: boolean } {
		const before = this.#forms;
		this.#forms = forms;
		this.#parts.keeper.saveDrafts(pickDrafts(forms, this.#parts.keeper.drafts));
		return {
			came: forms.filter(({ id }) => !before.some(form => form.id === id)).map(({ title }) => title),
			gone: before.some(({ id }) => !forms.some(form => form.id === id)),
		};
	}

	/** Passes an update from the host to its form. */
	applyFormNews(news: FormNews): void {
		this.#findFormElement(news.form)?.applyFormNews(news);
	}

	focus(): void {
		this.#findFormElement(this.#forms[0]?.id ?? '')?.focusFirst();
	}

	/** @param waits true if the run is waiting for input */
	render(waits: boolean, strings: InspectorStrings): unknown {
		if (!waits) {
			return nothing;
		}
		this.#page ??= this.#createFormPage(strings);
		return html`<section class="forms" aria-label=${strings.forms}>
			${
				this.#forms.length === 0
					? html`<p class="dim">${strings.waits}</p>`
					: repeat(
							this.#forms,
							({ id }) => id,
							form => html`<run-form data-form=${form.id} .form=${form} .page=${this.#page}></run-form>`,
						)
			}
		</section>`;
	}

	#findFormElement(id: string): RunFormElement | undefined {
		const element = this.#parts.root.querySelector(`run-form[data-form="${CSS.escape(id)}"]`);
		return element instanceof RunFormElement ? element : undefined;
	}

	#createFormPage(strings: InspectorStrings): FormPage {
		const { keeper, getMarkdownElement, post } = this.#parts;
		return {
			strings: strings.formStrings,
			getMarkdownElement,
			submit: ({ id }, answer) => post({ type: 'answerForm', form: id, ...answer }),
			chooseFiles: ({ id }, { name }, from) => post({ type: 'chooseFormFiles', form: id, field: name, from }),
			getDraft: ({ id }) => keeper.drafts[id],
			saveDraft: ({ id }, draft) => keeper.saveDrafts({ ...keeper.drafts, [id]: draft }),
		};
	}
}
