import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { fill } from '../shared/fill.ts';
import { isInnerStart } from './layout/cardSize.ts';
import type { GraphStrings } from './picture/graphStrings.ts';
import type { AgentPicture, DrawnNode } from './picture/graphTypes.ts';

interface FindEvents {
	/** Called when the set of matches changes. */
	onFound(): void;
	/** Called to show a node. */
	onGo(id: string): void;
	/** Called when the user leaves the find bar. */
	onLeave(): void;
}

/** Finds nodes by their titles, IDs, types and the text of their cards. */
export class FindBar {
	found: ReadonlySet<string> = new Set();
	readonly #events: FindEvents;
	readonly #input = document.createElement('input');
	#nodes: readonly DrawnNode[] = [];
	#types: GraphStrings['types'] = {};
	#matches: readonly string[] = [];
	/** Index of the match that is shown; -1 if no match is shown. */
	#at = -1;

	constructor(events: FindEvents) {
		this.#events = events;
		this.#input.type = 'search';
		this.#input.addEventListener('input', () => this.#searchNodes());
		this.#input.addEventListener('keydown', event => this.#handleKey(event));
	}

	/** Applies a new picture; `undefined` if there is none. */
	applyPicture(picture: AgentPicture | undefined): void {
		this.#nodes = picture?.nodes ?? [];
		const shown = this.#matches[this.#at];
		this.#updateMatches();
		this.#at = shown === undefined ? -1 : this.#matches.indexOf(shown);
	}

	focus(): void {
		this.#input.focus();
		this.#input.select();
	}

	render(strings: GraphStrings): unknown {
		this.#types = strings.types;
		this.#input.placeholder = strings.find;
		this.#input.setAttribute('aria-label', strings.find);
		const count = this.#matches.length;
		const word = count === 0 ? strings.foundNone : fill(strings.found, Math.max(0, this.#at) + 1, count);
		const renderButton = (icon: string, label: string, step: number) =>
			html`<button type="button" class="iconButton" title=${label} aria-label=${label} ?disabled=${count === 0} @click=${() => this.#showNextMatch(step)}><span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`;
		return html`${this.#input}${
			this.#input.value === ''
				? nothing
				: html`<span class="dim" role="status">${word}</span>${renderButton('arrow-up', strings.findBefore, -1)}${renderButton('arrow-down', strings.findNext, 1)}`
		}`;
	}

	#searchNodes(): void {
		this.#updateMatches();
		this.#at = -1;
		if (this.#matches.length > 0) {
			this.#showNextMatch(1);
		} else {
			this.#events.onFound();
		}
	}

	#updateMatches(): void {
		const query = this.#input.value.trim().toLowerCase();
		const isMatch = (node: DrawnNode) => !isInnerStart(node) && getSearchText(node, this.#types).includes(query);
		this.#matches = query === '' ? [] : this.#nodes.filter(isMatch).map(({ id }) => id);
		this.found = new Set(this.#matches);
	}

	#showNextMatch(step: number): void {
		const count = this.#matches.length;
		this.#at = count === 0 ? -1 : (this.#at + step + count) % count;
		const id = this.#matches[this.#at];
		this.#events.onFound();
		if (id !== undefined) {
			this.#events.onGo(id);
		}
	}

	#handleKey(event: KeyboardEvent): void {
		if (event.key === 'Enter') {
			this.#showNextMatch(event.shiftKey ? -1 : 1);
		} else if (event.key === 'Escape') {
			this.#input.value = '';
			this.#searchNodes();
			this.#events.onLeave();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}
}

function getSearchText({ id, title, kind, help = '', about = '', rows }: DrawnNode, types: GraphStrings['types']): string {
	return [title, id, kind, getOwnField(types, kind) ?? '', help, about, ...rows.map(({ head = '', text }) => `${head} ${text}`)]
		.join('\n')
		.toLowerCase();
}
