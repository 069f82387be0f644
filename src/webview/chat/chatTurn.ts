import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ShownTurn } from '../../chat/chatChanges.ts';
import type { FromPanel } from '../../chat/panelProtocol.ts';
import type { PanelStrings } from '../../chat/panelStrings.ts';
import { fill } from '../shared/fill.ts';
import { partView } from './partView.ts';
import { replyFooter } from './replyFooter.ts';

/** `<chat-turn>`: one turn of the transcript, with what can be done with it. It renders into itself, so that the page's styles hold. */
export class ChatTurn extends LitElement {
	static override properties = {
		turn: { attribute: false, hasChanged: () => true },
		strings: { attribute: false },
		busy: { type: Boolean },
		last: { type: Boolean },
		continues: { type: Boolean },
		editing: { state: true },
	};

	declare turn: ShownTurn;
	declare strings: PanelStrings;
	/** A reply is coming into this chat: nothing else can be sent. */
	declare busy: boolean;
	declare last: boolean;
	/** The reply was cut and can go on. */
	declare continues: boolean;
	declare post: (message: FromPanel) => void;
	declare private editing: boolean;

	constructor() {
		super();
		this.editing = false;
		this.busy = false;
		this.last = false;
		this.continues = false;
	}

	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	protected override render(): TemplateResult {
		const { turn, strings } = this;
		const isUser = turn.role === 'user';
		const speaker = isUser ? strings.you : turn.reply?.model || turn.reply?.connection || strings.chat;
		return html`
			<article class=${isUser ? 'turn user' : 'turn assistant'} aria-label=${speaker}>
				<header>
					<span class="speaker" dir="auto">${speaker}</span>
					${this.#branch()}
					<span class="turnActions">${this.#actions(isUser)}</span>
				</header>
				<div class="turnBody">${this.editing ? this.#editor() : this.#parts()}</div>
				${isUser ? nothing : replyFooter(this)}
			</article>`;
	}

	#parts(): unknown {
		const { turn, strings } = this;
		const streaming = turn.reply?.status === 'streaming';
		if (streaming && turn.parts.length === 0) {
			return html`<p class="waiting">${strings.waiting}</p>`;
		}
		const context = { strings, post: this.post, streaming, changed: () => this.requestUpdate() };
		const parts = turn.parts.map((part, index) => partView(part, turn, index === turn.parts.length - 1, context));
		return [...parts, this.last && !streaming ? this.#toolResults() : nothing];
	}

	#actions(isUser: boolean): unknown {
		const { turn, strings, busy } = this;
		const text = turn.parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
		const button = (icon: string, label: string, run: () => void, disabled = false) =>
			html`<button type="button" class="iconButton codicon codicon-${icon}" title=${label} aria-label=${label} ?disabled=${disabled} @click=${run}></button>`;
		const copy = text ? button('copy', strings.copy, () => this.post({ type: 'copy', text })) : nothing;
		if (isUser) {
			return [copy, button('edit', strings.edit, () => this.#startEdit(), busy)];
		}
		// a problem and a cut reply have a button of their own for it
		const retries = this.continues || turn.reply?.problem?.actions.includes('retry');
		return [copy, retries ? nothing : button('refresh', strings.retry, () => this.post({ type: 'retry', turn: turn.id }), busy)];
	}

	#branch(): unknown {
		const { turn, strings } = this;
		const { index, count } = turn.branch;
		if (count < 2) {
			return nothing;
		}
		const go = (offset: 1 | -1) => () => this.post({ type: 'branch', turn: turn.id, offset });
		return html`<span class="branch" role="group" aria-label=${fill(strings.branch, index + 1, count)}>
			<button type="button" class="iconButton codicon codicon-chevron-left" title=${strings.previousBranch} aria-label=${strings.previousBranch} ?disabled=${index === 0} @click=${go(-1)}></button>
			<span aria-hidden="true">${index + 1}/${count}</span>
			<button type="button" class="iconButton codicon codicon-chevron-right" title=${strings.nextBranch} aria-label=${strings.nextBranch} ?disabled=${index === count - 1} @click=${go(1)}></button>
		</span>`;
	}

	#editor(): TemplateResult {
		const { turn, strings } = this;
		const text = turn.parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
		const submit = () => {
			const box = this.querySelector<HTMLTextAreaElement>('textarea.edit');
			if (box && !this.busy) {
				this.editing = false;
				this.post({ type: 'edit', turn: turn.id, text: box.value });
			}
		};
		const keydown = (event: KeyboardEvent) => {
			if (event.key === 'Escape') {
				event.stopPropagation();
				this.editing = false;
			} else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
				submit();
			}
		};
		return html`
			<textarea class="edit" dir="auto" aria-label=${strings.edit} .value=${text} @keydown=${keydown}></textarea>
			<div class="row">
				<vscode-button ?disabled=${this.busy} @click=${submit}>${strings.sendEdit}</vscode-button>
				<vscode-button secondary @click=${() => {
					this.editing = false;
				}}>${strings.cancel}</vscode-button>
			</div>`;
	}

	async #startEdit(): Promise<void> {
		this.editing = true;
		await this.updateComplete;
		this.querySelector<HTMLTextAreaElement>('textarea.edit')?.focus();
	}

	/** Where the user says what the tools that the model called gave. */
	#toolResults(): unknown {
		const { turn, strings } = this;
		const calls = turn.parts.filter(part => part.kind === 'toolCall');
		if (calls.length === 0 || turn.reply?.status !== 'done') {
			return nothing;
		}
		const submit = () => {
			const boxes = [...this.querySelectorAll<HTMLTextAreaElement>('textarea.result')];
			const results = calls.map(({ id, name }, index) => ({ id, name, output: boxes[index]?.value ?? '' }));
			this.post({ type: 'toolResult', turn: turn.id, results });
		};
		return html`<div class="toolResults">
			${calls.map(({ name }) => html`<label>${fill(strings.giveResult, name)}<textarea class="result" dir="auto"></textarea></label>`)}
			<vscode-button ?disabled=${this.busy} @click=${submit}>${strings.sendResults}</vscode-button>
		</div>`;
	}
}

customElements.define('chat-turn', ChatTurn);
