import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { fill } from '../../shared/fill.ts';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';
import { formatFieldValue } from '../nodeForm/valueText.ts';
import { getCurrentPress } from './press.ts';

/** The result of reading a typed text: a value, or a message why it isn't valid yet. */
export type Reading = { readonly value: unknown } | { readonly problem: string };

/**
 * `<draft-input>`: a text field that keeps the typed text until the file contains it. If the field is changed elsewhere meanwhile, the
 * draft isn't overwritten and a note is shown. Renders without a shadow root, so that the styles of the page apply.
 */
export class DraftInput extends LitElement {
	static override properties = {
		value: { attribute: false },
		held: { attribute: false },
		many: { attribute: false },
		mono: { attribute: false },
		off: { attribute: false },
		invalid: { attribute: false },
		inputId: { attribute: false },
		label: { attribute: false },
		described: { attribute: false },
		strings: { attribute: false },
		read: { attribute: false },
		commit: { attribute: false },
		problem: { state: true },
		missed: { state: true },
	};

	/** The text in the file, or the text that the file will contain after all pending edits. */
	declare value: string;
	/** The text in the file, if it differs from `value`. */
	declare held: string | undefined;
	declare many: boolean;
	declare mono: boolean;
	declare off: boolean;
	declare invalid: boolean;
	declare inputId: string;
	/** The accessible name, if there is no `<label>`. */
	declare label: string | undefined;
	declare described: string;
	declare strings: NodeFormStrings;
	declare read: (text: string) => Reading;
	/** Called with each valid value; `paused` is true when the field loses focus and the value should be written immediately. */
	declare commit: (value: unknown, paused: boolean) => void;
	declare private problem: string;
	/** The text that another change wrote to the file while the user was typing. */
	declare private missed: string | undefined;
	#draft: string | undefined;
	/** Typed text that was not committed with `paused` yet. */
	#unsent: string | undefined;
	/** The text when typing started, and all drafts since then. If the file changes to one of them, the change is our own. */
	readonly #own = new Set<string>();
	/** True if a textarea is shown. Doesn't change while the field has the focus, because replacing the element would lose the cursor. */
	#hasLines = false;
	#isUndone = false;
	/** True while the field has the focus, so that only the user changes its text. */
	#isTypedIn = false;

	constructor() {
		super();
		this.problem = '';
		this.missed = undefined;
		this.label = undefined;
		this.held = undefined;
		this.many = false;
		this.mono = false;
	}

	/** Inserts a text at the cursor. */
	insertText(text: string): void {
		const input = this.#getInput();
		if (input) {
			const at = input.selectionStart ?? input.value.length;
			input.setRangeText(text, at, input.selectionEnd ?? at, 'end');
			input.focus();
			this.#handleTyping(input.value);
		}
	}

	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	/** Call before an undo: the next value replaces the draft. */
	expectUndo(): void {
		this.#isUndone = true;
	}

	protected override scheduleUpdate(): Promise<unknown> | undefined {
		const over = getCurrentPress();
		if (over) {
			return over.then(() => super.scheduleUpdate());
		}
		super.scheduleUpdate();
		return undefined;
	}

	protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
		const held = this.held ?? this.value;
		this.#hasLines = this.#isTypedIn ? this.#hasLines : this.many;
		if (changed.has('value') && this.#isUndone) {
			this.#isUndone = false;
			this.#draft = undefined;
			this.problem = '';
		}
		// after blur, show the normalized value
		if (this.#draft !== undefined && !this.#isTypedIn && [this.#draft, this.#normalizeText(this.#draft)].includes(this.value)) {
			this.#draft = undefined;
		}
		if (this.#own.size > 0 && (changed.has('value') || changed.has('held')) && !this.#own.has(held)) {
			this.missed = held;
		}
		if (this.#draft === undefined && this.#unsent === undefined && held === this.value) {
			this.#own.clear();
		}
	}

	/** Returns the text as the file will show it; `undefined` if it isn't valid. */
	#normalizeText(text: string): string | undefined {
		const reading = this.read(text);
		return 'value' in reading ? formatFieldValue(reading.value) : undefined;
	}

	protected override render(): TemplateResult {
		const text = this.#draft ?? this.value;
		const isInvalid = this.invalid || this.problem !== '' ? 'true' : nothing;
		const described = [this.described, this.problem === '' ? '' : `${this.inputId}-problem`].filter(Boolean).join(' ') || nothing;
		const onInput = (event: Event) => this.#handleTyping((event.target as HTMLInputElement).value);
		const onFocus = () => {
			this.#isTypedIn = true;
		};
		const onBlur = () => {
			this.#isTypedIn = false;
			this.commitDraft();
			this.missed = undefined;
		};
		return html`${
			this.#hasLines
				? html`<textarea id=${this.inputId} class=${this.mono ? 'mono' : ''} rows="1" dir="auto" spellcheck=${this.mono ? 'false' : 'true'} aria-label=${this.label ?? nothing} aria-describedby=${described} aria-invalid=${isInvalid} ?readonly=${this.off} .value=${live(text)} @input=${onInput} @focus=${onFocus} @blur=${onBlur}></textarea>`
				: html`<input id=${this.inputId} class=${this.mono ? 'mono' : ''} type="text" dir="auto" spellcheck="false" autocomplete="off" aria-label=${this.label ?? nothing} aria-describedby=${described} aria-invalid=${isInvalid} ?readonly=${this.off} .value=${live(text)} @input=${onInput} @focus=${onFocus} @blur=${onBlur} @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && this.commitDraft()} />`
		}
			<p class="fieldFault" id="${this.inputId}-problem" role="status">${this.problem || nothing}</p>
			${
				this.missed === undefined
					? nothing
					: html`<p class="fieldNote" role="status">${this.missed === '' ? this.strings.changedToEmpty : fill(this.strings.changed, this.missed)}
						<button type="button" class="linkButton" @mousedown=${(event: Event) => event.preventDefault()} @click=${() => this.#acceptMissedText()}>${this.strings.takeChanged}</button></p>`
			}`;
	}

	#getInput(): HTMLInputElement | HTMLTextAreaElement | null {
		return this.querySelector('textarea, input');
	}

	#handleTyping(text: string): void {
		if (this.off) {
			return;
		}
		this.#own.add(this.held ?? this.value);
		this.#own.add(this.value);
		this.#own.add(text);
		this.#draft = text;
		this.#isUndone = false;
		const reading = this.read(text);
		this.problem = 'problem' in reading ? reading.problem : '';
		this.#unsent = 'value' in reading ? text : undefined;
		if ('value' in reading) {
			this.#own.add(formatFieldValue(reading.value));
			this.commit(reading.value, false);
		}
		this.requestUpdate();
	}

	/** Commits the typed text immediately. */
	commitDraft(): void {
		const text = this.#unsent;
		const reading = text === undefined ? undefined : this.read(text);
		this.#unsent = undefined;
		if (reading && 'value' in reading) {
			this.commit(reading.value, true);
		}
		this.requestUpdate();
	}

	#acceptMissedText(): void {
		const { missed } = this;
		if (missed !== undefined) {
			this.#handleTyping(missed);
			this.commitDraft();
			this.missed = undefined;
		}
	}
}

if (!customElements.get('draft-input')) {
	customElements.define('draft-input', DraftInput);
}
