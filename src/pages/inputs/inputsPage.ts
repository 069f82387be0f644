import { html, nothing } from 'lit';
import { fill } from '../shared/fill.ts';
import type { FormDraft } from '../shared/form/formDraft.ts';
import { InputFormElement, type InputFormPage } from '../shared/form/inputForm.ts';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import type { FromInputs, FromInputsHost, InputsTarget } from './inputsMessages.ts';
import type { InputsStrings } from './inputsStrings.ts';

/** State that survives hiding the page and a restart. */
interface Kept {
	/** Read by the host when it restores the panel. */
	target: InputsTarget;
	draft: FormDraft;
}

type FormMessage = Extract<FromInputsHost, { type: 'form' | 'gone' }>;

export class InputsPage extends Page<FromInputsHost, FromInputs, Kept> {
	#received: FormMessage | undefined;
	#page: InputFormPage | undefined;
	#run: Extract<FromInputsHost, { type: 'run' }> | undefined;
	#problem = '';
	#starting = false;

	override start(): void {
		window.addEventListener('keydown', event => {
			if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
				event.preventDefault();
				this.#submitForm('run');
			}
		});
		super.start();
	}

	protected override readonly handlers: Handlers<FromInputsHost> = {
		form: message => this.#onForm(message),
		gone: message => this.#onForm(message),
		files: ({ field, files }) => {
			this.#problem = '';
			this.#form?.applyFiles(field, files);
			this.render();
		},
		problem: ({ problem }) => {
			this.#starting = false;
			this.#problem = problem;
			this.render();
		},
		run: message => {
			this.#starting = false;
			this.#run = message;
			this.render();
		},
	};

	#onForm(received: FormMessage): void {
		const isFirst = this.#received?.type !== 'form';
		this.#received = received;
		this.#page = this.#createFormPage(received);
		this.host.saveFields({ target: received.type === 'form' ? received.form.target : received.target });
		this.render();
		if (isFirst) {
			this.#form?.focusFirst();
		}
	}

	get #form(): InputFormElement | undefined {
		const element = this.root.querySelector('input-form');
		return element instanceof InputFormElement ? element : undefined;
	}

	#createFormPage({ strings }: FormMessage): InputFormPage {
		return {
			strings,
			getDraft: () => this.host.state.draft,
			saveDraft: draft => this.host.saveFields({ draft }),
			chooseFiles: ({ name }, from) => this.postMessage({ type: 'choose', field: name, from }),
		};
	}

	#submitForm(what: 'run' | 'save'): void {
		const given = this.#starting ? undefined : this.#form?.checkInputs();
		if (given) {
			this.#problem = '';
			this.#starting = what === 'run';
			this.postMessage({ type: what, given: given as Extract<FromInputs, { type: 'run' }>['given'] });
		}
		this.render();
	}

	protected override renderPage(): unknown {
		const received = this.#received;
		if (received?.type !== 'form') {
			return (
				received &&
				html`<main><h1>${fill(received.strings.title, received.target.agent)}</h1><p role="alert">${received.problem}</p></main>`
			);
		}
		const { strings, form } = received;
		const { target, where, description, fields, last } = form;
		return html`<main>
			<div class="formTitle"><h1>${fill(strings.title, target.agent)}</h1><span class="dim">${[...(target.agentFile ? [strings.draft] : []), where].join(' · ')}</span></div>
			${description ? html`<p class="dim" dir="auto">${description}</p>` : nothing}
			${fields.length === 0 ? html`<p>${strings.none}</p>` : nothing}
			<form aria-label=${fill(strings.title, target.agent)} @submit=${(event: Event) => event.preventDefault()}>
				<input-form class="formFields" .form=${'inputs'} .fields=${fields} .last=${last} .page=${this.#page}></input-form>
			</form>
			${this.#renderRunBar(strings)}
		</main>`;
	}

	#renderRunBar(strings: InputsStrings): unknown {
		const run = this.#run;
		return html`<div class="runBar">
			<button type="button" class="formButton primary" title=${strings.runHint} ?disabled=${this.#starting} @click=${() => this.#submitForm('run')}>${strings.run}</button>
			<button type="button" class="formButton default" @click=${() => this.#submitForm('save')}>${strings.save}</button>
			<button type="button" class="formButton ghost" title=${strings.resetHint} @click=${() => this.#form?.resetValues()}>${strings.reset}</button>
			<span class="dim" role="status">${this.#starting ? strings.starting : (run?.text ?? nothing)}</span>
			${run && !this.#starting ? html`<button type="button" class="linkButton" @click=${() => this.postMessage({ type: 'inspect', key: run.key })}>${strings.inspect}</button>` : nothing}
			<p class="formProblem" role="alert">${this.#problem === '' ? nothing : html`<span class="codicon codicon-error" aria-hidden="true"></span><span>${this.#problem}</span>`}</p>
		</div>`;
	}
}
