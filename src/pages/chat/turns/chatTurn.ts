import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FormPage } from '../../shared/form/runForm.ts';
import { renderAppActions } from '../apps/replyActions.ts';
import { isSendKey } from '../composer/sendKey.ts';
import type { AppOffers, FromPanel, PanelPreferences, Speech } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { ShownTurn } from '../transcript/chatChanges.ts';
import type { FormDrafts } from './formDrafts.ts';
import { renderPart } from './partView.ts';
import { renderReplyFooter } from './replyFooter.ts';
import { joinTextParts } from './shownText.ts';

/** `<chat-turn>`: one turn of the transcript with its actions. Renders without a shadow root, so that the styles of the page apply. */
export class ChatTurnElement extends LitElement {
	static override properties = {
		turn: { attribute: false, hasChanged: () => true },
		strings: { attribute: false },
		sendOn: { attribute: false },
		busy: { type: Boolean },
		last: { type: Boolean },
		continues: { type: Boolean },
		app: { attribute: false },
		speech: { attribute: false },
		editing: { state: true },
	};

	declare turn: ShownTurn;
	declare strings: PanelStrings;
	/** The key that sends an edited message, as in the message box. */
	declare sendOn: PanelPreferences['sendOn'];
	/** True while a reply is being received, so that nothing can be sent. */
	declare busy: boolean;
	declare last: boolean;
	/** True if the reply was cut off and can be continued. */
	declare continues: boolean;
	/** Features of the app that the chat talks to. */
	declare app: AppOffers | undefined;
	/** Audio of the reply; `asked` while the service generates it. */
	declare speech: Speech | 'asked' | undefined;
	declare post: (message: FromPanel) => void;
	/** Drafts of unsent forms, edits and tool results. They survive hiding and reloading the page. */
	declare drafts: FormDrafts;
	/** Elements for texts in forms. */
	readonly #texts = new Map<string, HTMLElement>();
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

	get #editDraftId(): string {
		return `edit ${this.turn.id}`;
	}
	get #resultsDraftId(): string {
		return `results ${this.turn.id}`;
	}

	protected override willUpdate(): void {
		if (!this.hasUpdated) {
			this.editing = this.drafts.readDraft(this.#editDraftId) !== undefined;
		}
	}

	protected override render(): TemplateResult {
		const { turn, strings } = this;
		const isUser = turn.role === 'user';
		const speaker = isUser ? strings.you : turn.reply?.model || turn.reply?.connection || strings.chat;
		return html`
			<article class=${isUser ? 'turn user' : 'turn assistant'} aria-label=${speaker}>
				<header>
					<span class="speaker" dir="auto" title=${turn.reply ? [turn.reply.model, turn.reply.connection].filter(Boolean).join(' · ') : nothing}>${speaker}</span>
					${this.#renderBranch()}
					<span class="turnActions">${this.#renderActions(isUser)}</span>
				</header>
				<div class="turnBody">${this.editing ? this.#renderEditor() : this.#renderParts()}</div>
				${typeof this.speech === 'object' ? html`<audio controls autoplay aria-label=${strings.spoken} src=${`data:${this.speech.mimeType};base64,${this.speech.data}`}></audio>` : nothing}
				${isUser ? nothing : renderReplyFooter(this)}
			</article>`;
	}

	#renderParts(): unknown {
		const { turn, strings } = this;
		const streaming = turn.reply?.status === 'streaming';
		if (streaming && turn.parts.length === 0) {
			return turn.reply?.retry ? nothing : html`<p class="waiting">${strings.waiting}</p>`;
		}
		const context = { strings, post: this.post, streaming, requestUpdate: () => this.requestUpdate(), forms: this.#createFormPage() };
		const parts = turn.parts.map((part, index) => renderPart(part, turn, index === turn.parts.length - 1, context));
		return [...parts, this.last && !streaming ? this.#renderToolResults() : nothing];
	}

	#createFormPage(): FormPage {
		const { turn, strings, drafts } = this;
		return {
			strings: strings.form,
			getMarkdownElement: (id, text) => this.#getMarkdownElement(id, text),
			submit: ({ id }, answer) => this.post({ type: 'answerForm', turn: turn.id, form: id, ...answer }),
			chooseFiles: ({ id }, { name }, from) => this.post({ type: 'chooseFormFiles', turn: turn.id, form: id, field: name, from }),
			getDraft: ({ id }) => drafts.readDraft(id),
			saveDraft: ({ id }, draft) => drafts.saveDraft(id, draft),
		};
	}

	#getMarkdownElement(id: string, text: string): HTMLElement {
		const known = this.#texts.get(id);
		if (known) {
			return known;
		}
		const element = Object.assign(document.createElement('markdown-text'), { text, complete: true });
		this.#texts.set(id, element);
		return element;
	}

	#renderActions(isUser: boolean): unknown {
		const { turn, strings, busy } = this;
		const text = joinTextParts(turn.parts);
		const renderButton = (icon: string, label: string, run: () => void, disabled = false) =>
			html`<button type="button" class="iconButton codicon codicon-${icon}" title=${label} aria-label=${label} ?disabled=${disabled} @click=${run}></button>`;
		const copy = text ? renderButton('copy', strings.copy, () => this.post({ type: 'copy', text })) : nothing;
		if (isUser) {
			return [copy, renderButton('edit', strings.edit, () => this.#startEdit(), busy)];
		}
		// failed and cut-off replies already have a button for this
		const retries = this.continues || turn.reply?.problem?.actions.includes('retry');
		return [
			this.#renderAppActions(),
			copy,
			renderButton('beaker', strings.tryPrompt, () => this.post({ type: 'tryPrompt', turn: turn.id })),
			retries ? nothing : renderButton('refresh', strings.retry, () => this.post({ type: 'retry', turn: turn.id }), busy),
			renderButton('chevron-down', strings.retryWith, () => this.post({ type: 'retryWith', turn: turn.id }), busy),
		];
	}

	#renderAppActions(): unknown {
		const { turn, strings, app, post } = this;
		const createDispatcher = (name: 'annotate' | 'speak') => () =>
			this.dispatchEvent(new CustomEvent(name, { detail: turn.id, bubbles: true }));
		return renderAppActions({
			turn,
			strings,
			app,
			post,
			speaking: this.speech === 'asked',
			annotate: createDispatcher('annotate'),
			speak: createDispatcher('speak'),
		});
	}

	#renderBranch(): unknown {
		const { turn, strings } = this;
		const { index, count } = turn.branch;
		if (count < 2) {
			return nothing;
		}
		const switchBranch = (offset: 1 | -1) => () => this.post({ type: 'branch', turn: turn.id, offset });
		return html`<span class="branch" role="group" aria-label=${fill(strings.branch, index + 1, count)}>
			<button type="button" class="iconButton codicon codicon-chevron-left" title=${strings.previousBranch} aria-label=${strings.previousBranch} ?disabled=${index === 0} @click=${switchBranch(-1)}></button>
			<span aria-hidden="true">${index + 1}/${count}</span>
			<button type="button" class="iconButton codicon codicon-chevron-right" title=${strings.nextBranch} aria-label=${strings.nextBranch} ?disabled=${index === count - 1} @click=${switchBranch(1)}></button>
		</span>`;
	}

	#renderEditor(): TemplateResult {
		const { turn, strings } = this;
		const draft = this.drafts.readDraft(this.#editDraftId)?.['text'];
		const text = typeof draft === 'string' ? draft : joinTextParts(turn.parts);
		const endEdit = () => {
			this.editing = false;
			this.drafts.saveDraft(this.#editDraftId, undefined);
		};
		const submitEdit = () => {
			const box = this.querySelector<HTMLTextAreaElement>('textarea.edit');
			if (box && !this.busy) {
				endEdit();
				this.post({ type: 'edit', turn: turn.id, text: box.value });
			}
		};
		const onKeydown = (event: KeyboardEvent) => {
			if (event.key === 'Escape') {
				event.stopPropagation();
				endEdit();
			} else if (event.key === 'Enter' && !event.isComposing && isSendKey(event, this.sendOn)) {
				event.preventDefault();
				submitEdit();
			}
		};
		return html`
			<textarea class="edit" dir="auto" aria-label=${strings.edit} .value=${text} @input=${(event: Event) => this.drafts.saveDraft(this.#editDraftId, { text: (event.target as HTMLTextAreaElement).value })} @keydown=${onKeydown}></textarea>
			<div class="row">
				<vscode-button ?disabled=${this.busy} @click=${submitEdit}>${strings.sendEdit}</vscode-button>
				<vscode-button secondary @click=${endEdit}>${strings.cancel}</vscode-button>
			</div>`;
	}

	/** Shows the setting that limits the tokens of a reply. */
	raiseLimit(): void {
		this.dispatchEvent(new CustomEvent('raiseLimit', { bubbles: true }));
	}

	async #startEdit(): Promise<void> {
		this.editing = true;
		await this.updateComplete;
		const box = this.querySelector<HTMLTextAreaElement>('textarea.edit');
		box?.focus();
		// scroll the editor's buttons into view too
		box?.closest('.turnBody')?.scrollIntoView({ block: 'nearest' });
	}

	/** Renders inputs for the results of the model's tool calls. */
	#renderToolResults(): unknown {
		const { turn, strings } = this;
		const calls = turn.parts.flatMap(part => (part.kind === 'toolCall' && !part.run ? [part] : []));
		if (calls.length === 0 || turn.reply?.status !== 'done') {
			return nothing;
		}
		const draft = this.drafts.readDraft(this.#resultsDraftId) ?? {};
		const readOutputs = () => [...this.querySelectorAll<HTMLTextAreaElement>('textarea.result')].map(({ value }) => value);
		const submit = () => {
			const outputs = readOutputs();
			const results = calls.map(({ id, name }, index) => ({ id, name, output: outputs[index] ?? '' }));
			this.drafts.saveDraft(this.#resultsDraftId, undefined);
			this.post({ type: 'toolResult', turn: turn.id, results });
		};
		return html`<div class="toolResults">
			${calls.map(({ name }, index) => html`<label>${fill(strings.giveResult, name)}<textarea class="result" dir="auto" .value=${draft[index] ?? ''} @input=${() => this.drafts.saveDraft(this.#resultsDraftId, Object.fromEntries(readOutputs().entries()))}></textarea></label>`)}
			<vscode-button ?disabled=${this.busy} @click=${submit}>${strings.sendResults}</vscode-button>
		</div>`;
	}
}

customElements.define('chat-turn', ChatTurnElement);
