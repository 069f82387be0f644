import { html, nothing, type ReactiveController, type ReactiveControllerHost } from 'lit';
import type { Mention } from '../panel/panelProtocol.ts';

/** Delay after the last key before the host is asked for entries, in milliseconds. */
const askDelayMs = 120;

/** The list that opens after `@`, `#` or `/`. The arrow keys move in it while the cursor stays in the text. */
export class MentionList implements ReactiveController {
	readonly #host: ReactiveControllerHost;
	readonly #choose: (item: Mention) => void;
	#items: readonly Mention[] = [];
	#active = 0;
	#query: string | undefined;
	#timer: number | undefined;
	/** Asks the host for the entries of the query. Undefined once they have arrived. */
	#askHost: (() => void) | undefined;
	/** What Enter does if there are no entries. Set when it's pressed before they have arrived. */
	#actWithoutItems: (() => void) | undefined;

	constructor(host: ReactiveControllerHost, choose: (item: Mention) => void) {
		this.#host = host;
		this.#choose = choose;
		host.addController(this);
	}

	hostDisconnected(): void {
		this.#stopWaiting();
	}

	get open(): boolean {
		return this.#items.length > 0;
	}

	get activeId(): string | undefined {
		return this.open ? `mention-${this.#active}` : undefined;
	}

	/** Asks for entries after a short delay. `query` includes the character that opened the list. */
	requestItems(query: string, post: () => void): void {
		this.#query = query;
		this.#askHost = post;
		this.#actWithoutItems = undefined;
		clearTimeout(this.#timer);
		this.#timer = window.setTimeout(post, askDelayMs);
	}

	/** Shows entries, unless the query has changed. If Enter was pressed before they arrived, chooses the first one. */
	showItems(query: string, items: readonly Mention[]): void {
		if (query !== this.#query) {
			return;
		}
		const actWithoutItems = this.#actWithoutItems;
		this.#stopWaiting();
		this.#items = items;
		this.#active = 0;
		if (actWithoutItems && items.length > 0) {
			this.#acceptItem(0);
		} else {
			this.#host.requestUpdate();
			actWithoutItems?.();
		}
	}

	close(): void {
		this.#stopWaiting();
		this.#query = undefined;
		if (this.open) {
			this.#items = [];
			this.#host.requestUpdate();
		}
	}

	/**
	 * Handles a key. Returns false if it isn't meant for the list. Enter waits for entries that haven't arrived yet; `actWithoutItems` does
	 * what Enter does without a list, and is called if there are none.
	 */
	handleKey(event: KeyboardEvent, actWithoutItems: () => void): boolean {
		if (this.#askHost && event.key === 'Enter' && !event.shiftKey) {
			// shown entries belong to what was typed before
			if (!this.#actWithoutItems) {
				this.#actWithoutItems = actWithoutItems;
				clearTimeout(this.#timer);
				this.#askHost();
			}
			event.preventDefault();
			return true;
		}
		if (this.#actWithoutItems && event.key === 'Escape') {
			this.close();
			event.preventDefault();
			event.stopPropagation();
			return true;
		}
		if (!this.open) {
			return false;
		}
		switch (event.key) {
			case 'ArrowDown':
			case 'ArrowUp':
				this.#active = (this.#active + (event.key === 'ArrowDown' ? 1 : this.#items.length - 1)) % this.#items.length;
				this.#host.requestUpdate();
				void this.#host.updateComplete.then(() => document.getElementById(this.activeId ?? '')?.scrollIntoView({ block: 'nearest' }));
				break;
			case 'Enter':
			case 'Tab':
				this.#acceptItem(this.#active);
				break;
			case 'Escape':
				this.close();
				break;
			default:
				return false;
		}
		event.preventDefault();
		event.stopPropagation();
		return true;
	}

	render(label: string): unknown {
		if (!this.open) {
			return nothing;
		}
		return html`<ul id="mentions" class="mentions" role="listbox" aria-label=${label}>
			${this.#items.map(
				({ icon, name, detail }, index) => html`<li
					id="mention-${index}"
					role="option"
					aria-selected=${index === this.#active}
					@mousedown=${(event: MouseEvent) => {
						event.preventDefault();
						this.#acceptItem(index);
					}}
				><span class="codicon codicon-${icon}" aria-hidden="true"></span>${name} <span class="dim">${detail}</span></li>`,
			)}
		</ul>`;
	}

	#stopWaiting(): void {
		clearTimeout(this.#timer);
		this.#askHost = undefined;
		this.#actWithoutItems = undefined;
	}

	#acceptItem(index: number): void {
		const item = this.#items[index];
		this.close();
		if (item) {
			this.#choose(item);
		}
	}
}
