import { html, nothing } from 'lit';
import type { EditedAnnotation, FromPanel, PanelHead } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';

/** Callbacks that the pane needs from its page. */
interface AnnotationPage {
	readonly root: HTMLElement;
	post(message: FromPanel): void;
	/** Renders the page again. */
	requestRender(): void;
	/** The saved annotation draft; survives hiding the page. */
	getSavedAnnotation(): OpenAnnotation | undefined;
	saveAnnotation(open: OpenAnnotation | undefined): void;
	/** Returns the head, which names the app that the chat uses. */
	getHead(): Pick<PanelHead, 'app'> | undefined;
}

/** An annotation that is being edited, and the app it belongs to. */
export interface OpenAnnotation {
	readonly of: string;
	readonly annotation: EditedAnnotation;
}

/** The editor for an annotation, above the message box. */
export class AnnotationPane {
	readonly #page: AnnotationPage;
	#open: OpenAnnotation | undefined;
	#problem = '';
	#saving = false;

	constructor(page: AnnotationPage) {
		this.#page = page;
		this.#open = page.getSavedAnnotation();
	}

	/** Opens an annotation and focuses its question. */
	openAnnotation(annotation: EditedAnnotation): void {
		this.#setOpenAnnotation({ of: this.#getAppKey(), annotation });
		this.#page.root.querySelector<HTMLTextAreaElement>('.annotation textarea')?.focus();
	}

	/** Handles the result of saving. */
	handleSaveResult(problem: string | undefined): void {
		this.#saving = false;
		if (problem === undefined) {
			this.#setOpenAnnotation(undefined);
		} else {
			this.#problem = problem;
			this.#page.requestRender();
		}
	}

	render(strings: PanelStrings): unknown {
		// hidden while the chat uses another app, because saving would add the annotation there
		if (this.#open?.of !== this.#getAppKey()) {
			return nothing;
		}
		const edited = this.#open.annotation;
		const title = edited.id === undefined ? strings.annotationNew : strings.annotationChanged;
		return html`<section class="annotation" aria-label=${title} @keydown=${this.#handleKey}>
			<h2>${title}</h2>
			<p class="help">${strings.annotationHelp}</p>
			${this.#renderField('question', strings.question, edited)}
			${this.#renderField('answer', strings.answer, edited)}
			${this.#problem ? html`<p class="wrong" role="alert">${this.#problem}</p>` : nothing}
			<div class="row">
				<vscode-button ?disabled=${this.#saving || !edited.question.trim() || !edited.answer.trim()} @click=${() => this.#saveAnnotation()}>${strings.save}</vscode-button>
				<vscode-button secondary @click=${() => this.#setOpenAnnotation(undefined)}>${strings.cancel}</vscode-button>
			</div>
		</section>`;
	}

	#renderField(name: 'question' | 'answer', label: string, edited: EditedAnnotation): unknown {
		const onInput = (event: Event) => {
			const annotation = { ...(this.#open?.annotation ?? edited), [name]: (event.target as HTMLTextAreaElement).value };
			this.#open = { of: this.#getAppKey(), annotation };
			this.#page.saveAnnotation(this.#open);
			this.#page.requestRender();
		};
		return html`<label>${label}<textarea dir="auto" rows=${name === 'answer' ? 3 : 1} .value=${edited[name]} @input=${onInput}></textarea></label>`;
	}

	#saveAnnotation(): void {
		if (this.#open && !this.#saving) {
			this.#saving = true;
			this.#problem = '';
			this.#page.post({ type: 'saveAnnotation', ...this.#open.annotation });
			this.#page.requestRender();
		}
	}

	#getAppKey(): string {
		const { connection = '', model = '' } = this.#page.getHead()?.app ?? {};
		return JSON.stringify([connection, model]);
	}

	#setOpenAnnotation(open: OpenAnnotation | undefined): void {
		this.#open = open;
		this.#problem = '';
		this.#page.saveAnnotation(open);
		this.#page.requestRender();
	}

	readonly #handleKey = (event: KeyboardEvent) => {
		if (event.key === 'Escape' && !event.isComposing) {
			event.stopPropagation();
			this.#setOpenAnnotation(undefined);
		}
	};
}
