import { html, nothing, type ReactiveController, type ReactiveControllerHost } from 'lit';
import type { MentionedFile } from '../panel/panelProtocol.ts';

/** Delay after the last key before the host is asked for files, in milliseconds. */
const askDelayMs = 120;

/** The list of files that opens after `#`. The arrow keys move in it while the cursor stays in the text. */
export class MentionList implements ReactiveController {
	readonly #host: ReactiveControllerHost;
	readonly #choose: (file: MentionedFile) => void;
	#files: readonly MentionedFile[] = [];
	#active = 0;
	#query: string | undefined;
	#timer: number | undefined;

	constructor(host: ReactiveControllerHost, choose: (file: MentionedFile) => void) {
		this.#host = host;
		this.#choose = choose;
		host.addController(this);
	}

	hostDisconnected(): void {
		clearTimeout(this.#timer);
	}

	get open(): boolean {
		return this.#files.length > 0;
	}

	get activeId(): string | undefined {
		return this.open ? `mention-${this.#active}` : undefined;
	}

	/** Asks for files after a short delay. */
	requestFiles(query: string, post: () => void): void {
		this.#query = query;
		clearTimeout(this.#timer);
		this.#timer = window.setTimeout(post, askDelayMs);
	}

	/** Shows files, unless the query has changed. */
	showFiles(query: string, files: readonly MentionedFile[]): void {
		if (query === this.#query) {
			this.#files = files;
			this.#active = 0;
			this.#host.requestUpdate();
		}
	}

	close(): void {
		clearTimeout(this.#timer);
		this.#query = undefined;
		if (this.open) {
			this.#files = [];
			this.#host.requestUpdate();
		}
	}

	/** Handles a key. Returns false if it isn't meant for the list. */
	handleKey(event: KeyboardEvent): boolean {
		if (!this.open) {
			return false;
		}
		switch (event.key) {
			case 'ArrowDown':
			case 'ArrowUp':
				this.#active = (this.#active + (event.key === 'ArrowDown' ? 1 : this.#files.length - 1)) % this.#files.length;
				this.#host.requestUpdate();
				break;
			case 'Enter':
			case 'Tab':
				this.#acceptFile(this.#active);
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
			${this.#files.map(
				({ name, folder }, index) => html`<li
					id="mention-${index}"
					role="option"
					aria-selected=${index === this.#active}
					@mousedown=${(event: MouseEvent) => {
						event.preventDefault();
						this.#acceptFile(index);
					}}
				><span class="codicon codicon-file" aria-hidden="true"></span>${name} <span class="dim">${folder}</span></li>`,
			)}
		</ul>`;
	}

	#acceptFile(index: number): void {
		const file = this.#files[index];
		this.close();
		if (file) {
			this.#choose(file);
		}
	}
}
