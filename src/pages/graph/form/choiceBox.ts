import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';
import { type Choice, type ChoiceGroup, filterGroups } from './variableChoices.ts';

/**
 * `<choice-box>`: a text field with a list of choices that is filtered while typing. Arrow keys move in the list, Enter accepts the active
 * choice or else the typed text, and Escape closes the list.
 */
class ChoiceBox extends LitElement {
	static override properties = {
		text: { attribute: false },
		groups: { attribute: false },
		inputId: { attribute: false },
		label: { attribute: false },
		described: { attribute: false },
		placeholder: { attribute: false },
		off: { attribute: false },
		invalid: { attribute: false },
		strings: { attribute: false },
		choose: { attribute: false },
		leave: { attribute: false },
		query: { state: true },
		active: { state: true },
	};

	/** The displayed text of the current value. */
	declare text: string;
	declare groups: readonly ChoiceGroup[];
	declare inputId: string;
	declare label: string | undefined;
	declare described: string;
	declare placeholder: string;
	declare off: boolean;
	declare invalid: boolean;
	declare strings: NodeFormStrings;
	/** Called with the value of a choice, or with other text that was typed. */
	declare choose: (value: string) => void;
	/** Called when the list closes without a choice. */
	declare leave: (() => void) | undefined;
	/** The text typed since the list opened; `undefined` while it is closed. */
	declare private query: string | undefined;
	declare private active: number;
	#typed = false;

	constructor() {
		super();
		this.query = undefined;
		this.active = -1;
		this.label = undefined;
		this.leave = undefined;
		this.placeholder = '';
		this.described = '';
		this.invalid = false;
		this.off = false;
	}

	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	protected override updated(): void {
		this.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' });
	}

	protected override render(): TemplateResult {
		const isOpen = this.query !== undefined;
		const found = this.#findChoices();
		const choices = found.flatMap(group => group.choices);
		const active = choices[this.active];
		const listId = `${this.inputId}-list`;
		let at = -1;
		return html`<div class="choiceBox">
			<input id=${this.inputId} type="text" role="combobox" autocomplete="off" spellcheck="false" dir="auto"
				aria-label=${this.label ?? nothing} aria-describedby=${this.described || nothing} aria-invalid=${this.invalid ? 'true' : nothing}
				aria-autocomplete="list" aria-expanded=${isOpen ? 'true' : 'false'} aria-controls=${isOpen ? listId : nothing}
				aria-activedescendant=${active ? `${listId}-${this.active}` : nothing}
				placeholder=${this.placeholder || nothing} title=${this.text || nothing} ?readonly=${this.off} .value=${live(this.#typed ? (this.query ?? '') : this.text)}
				@input=${(event: Event) => this.#handleTyping((event.target as HTMLInputElement).value)}
				@click=${() => this.#openList()} @blur=${() => this.#closeList(true)} @keydown=${(event: KeyboardEvent) => this.#handleKey(event)} />
			<span class="codicon codicon-chevron-down" aria-hidden="true"></span>
			${
				isOpen
					? html`<div class="choices" id=${listId} role="listbox" aria-label=${this.label ?? this.strings.variable} @mousedown=${(event: Event) => event.preventDefault()}>
						${found.map(
							group => html`<div role="group" aria-label=${group.label || nothing}>
							${group.label ? html`<div class="choiceGroup" aria-hidden="true">${group.label}</div>` : nothing}
							${group.choices.map(choice => {
								at++;
								return this.#renderChoice(choice, at, listId);
							})}
						</div>`,
						)}
						${found.length === 0 ? html`<div class="choiceGroup" role="option" aria-disabled="true" aria-selected="false">${this.strings.noMatch}</div>` : nothing}
					</div>`
					: nothing
			}
		</div>`;
	}

	/** Returns the choices that the open list shows. */
	#findChoices(): readonly ChoiceGroup[] {
		return this.query === undefined ? [] : filterGroups(this.groups, this.#typed ? this.query : '');
	}

	#renderChoice({ value, label, detail }: Choice, at: number, listId: string): TemplateResult {
		return html`<div class="choice" role="option" id="${listId}-${at}" aria-selected=${at === this.active ? 'true' : 'false'} title=${value} @click=${() => this.#acceptChoice(value)}>
			<span>${label}</span><span class="dim">${detail}</span>
		</div>`;
	}

	#openList(): void {
		if (!this.off && this.query === undefined) {
			this.query = '';
			this.active = -1;
			this.#typed = false;
			this.querySelector('input')?.select();
		}
	}

	#handleTyping(text: string): void {
		if (!this.off) {
			this.query = text;
			this.#typed = true;
			this.active = text === '' ? -1 : 0;
		}
	}

	#handleKey(event: KeyboardEvent): void {
		const isOpen = this.query !== undefined;
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (step !== undefined && !this.off) {
			event.preventDefault();
			this.#openList();
			const { length } = this.#findChoices().flatMap(group => group.choices);
			const from = this.active < 0 && step < 0 ? 0 : this.active;
			this.active = length === 0 ? -1 : (from + step + length) % length;
		} else if (event.key === 'Enter' && isOpen) {
			event.preventDefault();
			const active = this.#findChoices().flatMap(group => group.choices)[this.active];
			if (active) {
				this.#acceptChoice(active.value);
			} else {
				this.#closeList(true);
			}
		} else if (event.key === 'Escape' && isOpen) {
			event.preventDefault();
			event.stopPropagation();
			this.#closeList(false);
		}
	}

	#acceptChoice(value: string): void {
		this.#resetQuery();
		this.choose(value);
	}

	/** Closes the list. `take`: true to accept the typed text. */
	#closeList(take: boolean): void {
		const typed = this.#typed ? this.query : undefined;
		const wasOpen = this.query !== undefined;
		this.#resetQuery();
		if (take && typed !== undefined && typed !== this.text) {
			this.choose(typed);
		} else if (wasOpen) {
			this.leave?.();
		}
	}

	#resetQuery(): void {
		this.query = undefined;
		this.active = -1;
		this.#typed = false;
	}
}

if (!customElements.get('choice-box')) {
	customElements.define('choice-box', ChoiceBox);
}
