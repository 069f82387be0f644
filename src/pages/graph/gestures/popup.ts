import { html, nothing, render } from 'lit';

export interface PopupItem {
	readonly label: string;
	readonly detail?: string;
	readonly icon?: string;
	readonly keys?: string;
	/** Other words that the item is found by. */
	readonly words?: string;
	act(): void;
}

interface PopupQuestion {
	readonly label: string;
	/** The choices; absent for a text field. */
	readonly items?: readonly PopupItem[];
	/** The initial text, and a callback for the result. */
	readonly text?: { readonly value: string; take(value: string): void };
	/** Position in pixels of the window. */
	readonly at: { readonly x: number; readonly y: number };
}

/** A box over the graph with a list of choices or a text field, and with the keys of a quick pick. Only one is open at a time. */
export class Popup {
	readonly element = document.createElement('div');
	readonly #closed: () => void;
	#question: PopupQuestion | undefined;
	#query = '';
	#at = 0;

	/** `closed` is called when the focus should return to the graph. */
	constructor(closed: () => void) {
		this.#closed = closed;
		this.element.className = 'popup';
		this.element.hidden = true;
		this.element.addEventListener('keydown', event => this.#handleKey(event));
		this.element.addEventListener('focusout', ({ relatedTarget }) => {
			if (!this.element.contains(relatedTarget as Node | null)) {
				this.close(false);
			}
		});
	}

	get isOpen(): boolean {
		return this.#question !== undefined;
	}

	openPopup(question: PopupQuestion): void {
		this.#question = question;
		this.#query = question.text?.value ?? '';
		this.#at = 0;
		this.element.hidden = false;
		this.#render();
		const input = this.element.querySelector('input');
		if (input) {
			input.value = this.#query;
			input.focus();
			input.select();
		}
		this.#placeBox(question.at);
	}

	close(back = true): void {
		if (this.#question) {
			this.#question = undefined;
			this.element.hidden = true;
			if (back) {
				this.#closed();
			}
		}
	}

	get #shown(): readonly PopupItem[] {
		const words = this.#query.toLowerCase().split(/\s+/).filter(Boolean);
		const all = this.#question?.items ?? [];
		const found = all.filter(({ label, detail = '', words: more = '' }) =>
			words.every(word => `${label} ${detail} ${more}`.toLowerCase().includes(word)),
		);
		// an item whose label starts with the query comes before those that only mention it
		const isPrefixMatch = ({ label, words: more = '' }: PopupItem) =>
			[label, more].some(text => text.toLowerCase().startsWith(words[0] ?? ''));
		return words.length === 0 ? all : [...found.filter(isPrefixMatch), ...found.filter(item => !isPrefixMatch(item))];
	}

	/** Places the box next to a point, within the page. */
	#placeBox({ x, y }: { readonly x: number; readonly y: number }): void {
		const { offsetWidth: width, offsetHeight: height, offsetParent } = this.element;
		const { left = 0, top = 0, right = 0, bottom = 0 } = offsetParent?.getBoundingClientRect() ?? {};
		const clampPosition = (value: number, from: number, to: number, size: number) =>
			Math.max(4, Math.min(value - from, to - from - size - 4));
		this.element.style.left = `${clampPosition(x, left, right, width)}px`;
		this.element.style.top = `${clampPosition(y, top, bottom, height)}px`;
	}

	#render(): void {
		const question = this.#question;
		if (!question) {
			return;
		}
		const items = this.#shown;
		const { label } = question;
		const list = question.items;
		const onInput = (event: Event) => {
			this.#query = (event.target as HTMLInputElement).value;
			this.#at = 0;
			this.#render();
		};
		render(
			html`<input type="text" aria-label=${label} placeholder=${label} role=${list ? 'combobox' : nothing} aria-expanded=${list ? 'true' : nothing} aria-controls=${list ? 'popup-list' : nothing} aria-activedescendant=${list && items.length > 0 ? `popup-${this.#at}` : nothing} autocomplete="off" spellcheck="false" @input=${onInput} />
				${
					list
						? html`<div role="listbox" id="popup-list" aria-label=${label} class="popupList">${items.map((item, at) => this.#renderItem(item, at))}</div>`
						: nothing
				}`,
			this.element,
		);
		this.element.querySelector('.popupItem.current')?.scrollIntoView({ block: 'nearest' });
	}

	#renderItem(item: PopupItem, at: number): unknown {
		const onClick = (event: Event) => {
			event.preventDefault();
			this.#acceptItem(item);
		};
		return html`<div role="option" id="popup-${at}" class="popupItem ${at === this.#at ? 'current' : ''}" aria-selected=${at === this.#at ? 'true' : 'false'} @pointerdown=${(event: Event) => event.preventDefault()} @click=${onClick}>
			${item.icon === undefined ? nothing : html`<span class="codicon codicon-${item.icon}" aria-hidden="true"></span>`}
			<span class="popupWords"><span>${item.label}</span>${item.detail === undefined ? nothing : html`<span class="dim">${item.detail}</span>`}</span>
			${item.keys === undefined ? nothing : html`<span class="dim">${item.keys}</span>`}
		</div>`;
	}

	#acceptItem(item: PopupItem): void {
		this.close();
		item.act();
	}

	#handleKey(event: KeyboardEvent): void {
		const count = this.#shown.length;
		const chosen = this.#shown[this.#at];
		switch (event.key) {
			case 'ArrowDown':
			case 'ArrowUp':
				this.#at = count === 0 ? 0 : (this.#at + (event.key === 'ArrowDown' ? 1 : -1) + count) % count;
				this.#render();
				break;
			case 'Enter': {
				const { text } = this.#question ?? {};
				if (text) {
					this.close();
					text.take(this.#query);
				} else if (chosen) {
					this.#acceptItem(chosen);
				}
				break;
			}
			case 'Escape':
				this.close();
				break;
			default:
				// other keys, such as the one for the command palette, are for the editor around the page
				return;
		}
		event.preventDefault();
		event.stopPropagation();
	}
}
