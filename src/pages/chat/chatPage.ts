import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import { runAfterFrame } from '../shared/runAfterFrame.ts';
import type { FromHost, FromPanel, Speech } from './panel/panelProtocol.ts';
import type { ShownTurn } from './transcript/chatChanges.ts';
import { renderSummarized, renderSummaryOffer } from './transcript/summaryView.ts';
import './turns/chatTurn.ts';
import './composer/composer.ts';
import { RunFormElement } from '../shared/form/runForm.ts';
import { AnnotationPane } from './apps/annotationPane.ts';
import { renderSuggestedQuestions } from './apps/suggestedView.ts';
import { createCodeActions } from './codeActions.ts';
import type { ChatComposer } from './composer/composer.ts';
import { renderEmptyChat } from './emptyView.ts';
import { createFileLink } from './fileLinks.ts';
import { renderHeader } from './headerView.ts';
import { InputsPane } from './inputsPane.ts';
import { joinDrafts, type Kept } from './keptState.ts';
import { MarkdownText } from './markdownText.ts';
import { Notice } from './notice.ts';
import { applyChanges, createPanelState, getEndText, type PanelState } from './panelState.ts';
import { RemoteImages } from './remoteImages.ts';
import { ScrollKeeper } from './scrollKeeper.ts';
import { renderSettings } from './settingsView.ts';
import type { ChatTurnElement } from './turns/chatTurn.ts';
import { createFormDrafts } from './turns/formDrafts.ts';
import { joinTextParts } from './turns/shownText.ts';

/** The page of a chat panel. */
export class ChatPage extends Page<FromHost, FromPanel, Kept> {
	readonly #images = new RemoteImages(
		message => this.postMessage(message),
		() => this.#strings,
	);
	#state: PanelState | undefined;
	readonly #inputs: InputsPane;
	readonly #formDrafts = createFormDrafts(this.host);
	/** Audio of replies, by turn. */
	readonly #speech = new Map<string, Speech | 'asked'>();
	readonly #annotations: AnnotationPane;
	#settingsOpen = this.host.state.settingsOpen ?? false;
	#scroll: ScrollKeeper | undefined;
	readonly #notice = new Notice(() => this.render());

	constructor(root: HTMLElement) {
		super(root);
		const host = this.host;
		this.#annotations = new AnnotationPane({
			root,
			post: message => this.postMessage(message),
			requestRender: () => this.render(),
			getSavedAnnotation: () => host.state.annotation ?? undefined,
			saveAnnotation: annotation => host.saveFields({ annotation: annotation ?? null }),
			getHead: () => this.#state?.head,
		});
		this.#inputs = new InputsPane({
			root,
			post: message => this.postMessage(message),
			keeper: {
				get drafts() {
					return host.state.inputs ?? {};
				},
				saveDrafts: inputs => host.saveFields({ inputs }),
				get folded() {
					return host.state.foldedInputs ?? [];
				},
				saveFolded: foldedInputs => {
					host.saveFields({ foldedInputs });
					this.render();
				},
			},
		});
	}

	/** Opens an annotation with a reply and its question. */
	#openAnnotation(turnId: string): void {
		const turns = this.#state?.turns ?? [];
		const at = turns.findIndex(({ id }) => id === turnId);
		const getTextAt = (index: number) => joinTextParts(turns[index]?.parts ?? []).trim();
		this.#annotations.openAnnotation({ question: getTextAt(at - 1), answer: getTextAt(at) });
	}

	override start(): void {
		MarkdownText.actions = {
			code: createCodeActions(
				() => this.#strings,
				message => this.postMessage(message),
				text => this.#announceText(text),
			),
			renderImage: link => this.#images.createImageElement(link),
			renderFile: createFileLink(message => this.postMessage(message)),
		};
		this.root.addEventListener('notice', event => this.#notice.showText((event as CustomEvent<string>).detail));
		this.root.addEventListener('annotate', event => this.#openAnnotation((event as CustomEvent<string>).detail));
		this.root.addEventListener('raiseLimit', () => this.#openSettings('[id^="setting-max"]'));
		this.root.addEventListener('speak', event => {
			const turn = (event as CustomEvent<string>).detail;
			this.#speech.set(turn, 'asked');
			this.postMessage({ type: 'speak', turn });
			this.render();
		});
		this.root.addEventListener('dragover', event => event.preventDefault());
		this.root.addEventListener('drop', event => {
			event.preventDefault();
			this.#composer?.attachDroppedFiles(event.dataTransfer);
		});
		super.start();
	}

	get #strings() {
		if (!this.#state) {
			throw new Error('The page has no state before its first snapshot');
		}
		return this.#state.strings;
	}

	protected override postMessage(message: FromPanel): void {
		if (message.type === 'edit') {
			this.#composer?.history.add(message.text);
		}
		super.postMessage(message);
	}

	protected override readonly handlers: Handlers<FromHost> = {
		snapshot: message => this.#applySnapshot(message),
		changes: message => this.#applyChanges(message),
		mentions: message => this.#composer?.showMentions(message.trigger, message.query, message.items),
		image: message => this.#images.handleImageLoaded(message.url, message.data, message.problem),
		notice: message => this.#notice.showText(message.text),
		formProblem: message => this.#findForm(message.form)?.applyFormNews(message),
		formFiles: message => this.#findForm(message.form)?.applyFormNews(message),
		inputFiles: message => this.#inputs.addFiles(message.field, message.files),
		spoken: message => {
			if (message.speech) {
				this.#speech.set(message.turn, message.speech);
			} else {
				this.#speech.delete(message.turn);
			}
			this.render();
		},
		suggestText: message => this.#composer?.suggestText(message.text),
		heard: message => this.#composer?.addText(message.text),
		annotation: message => this.#annotations.openAnnotation(message.annotation),
		annotationSaved: message => {
			this.#annotations.handleSaveResult(message.problem);
			if (message.problem === undefined) {
				this.#notice.showText(this.#strings.annotationSaved);
			}
		},
		refused: ({ chatId, text, refusal }) => {
			if (chatId === this.#state?.head.chatId) {
				this.#composer?.restoreText(text);
			} else {
				this.#saveDraft(joinDrafts(text, this.host.state.drafts?.[chatId]), chatId);
			}
			this.#notice.showText(refusal);
		},
		focus: () => this.#composer?.focusBox(),
		openSettings: () => this.#openSettings('[aria-invalid="true"], textarea, input'),
	};

	/** Shows the settings and focuses the first control that matches. */
	#openSettings(control: string): void {
		this.#setSettingsOpen(true);
		this.root.querySelector<HTMLElement>(`.settings :is(${control})`)?.focus();
	}

	#applySnapshot(message: Extract<FromHost, { type: 'snapshot' }>): void {
		const { chatId } = message.head;
		const sameChat = (this.#state?.head.chatId ?? this.host.state.chatId) === chatId;
		const isFirst = this.#state === undefined;
		const shownChat = this.#state?.head.chatId;
		this.#state = createPanelState(message);
		this.render();
		const composer = this.#composer;
		composer?.history.replaceMessages(message.history);
		if (shownChat !== chatId) {
			void composer?.updateComplete.then(() => composer.setText(this.host.state.drafts?.[chatId] ?? ''));
		}
		const { scroll } = this.host.state;
		if (sameChat && isFirst && typeof scroll === 'number') {
			this.#scroll?.restorePosition(scroll);
		} else if (!sameChat || isFirst) {
			this.#scroll?.scrollToEnd();
		}
		this.host.saveFields({ chatId });
	}

	#applyChanges({ seq, changes }: Extract<FromHost, { type: 'changes' }>): void {
		const state = this.#state;
		const turnsBefore = state?.turns.length;
		const applied = state && applyChanges(state, seq, changes);
		if (!applied) {
			this.postMessage({ type: 'resync' });
			return;
		}
		if (applied.scope !== 'turns') {
			this.render();
		}
		runAfterFrame(() => {
			for (const turn of applied.turns) {
				this.#findTurnElement(turn)?.requestUpdate();
			}
		});
		if (turnsBefore !== undefined && state.turns.length > turnsBefore) {
			this.#scroll?.scrollToEnd();
		}
		for (const turn of applied.ended) {
			// announce a reply only when it has ended, because screen readers shouldn't read it token by token
			this.#announceText(getEndText(turn, this.#strings));
		}
	}

	#findForm(id: string): RunFormElement | undefined {
		const element = this.root.querySelector(`run-form[data-form="${CSS.escape(id)}"]`);
		return element instanceof RunFormElement ? element : undefined;
	}

	#findTurnElement(turn: ShownTurn): ChatTurnElement | null {
		return this.root.querySelector<ChatTurnElement>(`chat-turn[data-id="${CSS.escape(turn.id)}"]`);
	}

	get #composer(): ChatComposer | null {
		return this.root.querySelector('chat-composer');
	}

	protected override renderPage(): unknown {
		const state = this.#state;
		if (!state) {
			return undefined;
		}
		const { head, strings, preferences, turns } = state;
		const post = (message: FromPanel) => this.postMessage(message);
		const lastId = turns.at(-1)?.id;
		const summarized = turns.findLastIndex(turn => turn.summary !== undefined) + 1;
		const renderTurns = (shown: readonly ShownTurn[]) =>
			repeat(
				shown,
				turn => turn.id,
				turn =>
					html`<chat-turn data-id=${turn.id} .turn=${turn} .strings=${strings} .sendOn=${preferences.sendOn} .post=${post} .drafts=${this.#formDrafts} .app=${head.app} .speech=${this.#speech.get(turn.id)} ?busy=${head.busy} ?last=${turn.id === lastId} ?continues=${turn.id === lastId && head.continues}></chat-turn>`,
			);
		return html`
				${renderHeader(head, strings, this.#settingsOpen, () => this.#setSettingsOpen(!this.#settingsOpen), post)}
				${this.#settingsOpen ? renderSettings(head, { strings, preferences, post }) : nothing}
				<main class="turns" tabindex="0" aria-label=${strings.turns}>
					<div class="turnList">
						${turns.length === 0 ? renderEmptyChat(head, strings, message => (message.type !== 'send' || this.#inputs.checkBeforeSend()) && post(message)) : nothing}
						${renderSummarized(turns.slice(0, summarized), renderTurns(turns.slice(0, summarized)), strings, post)}
						${renderTurns(turns.slice(summarized))}
						${renderSuggestedQuestions(turns.at(-1), head, strings, text => this.#inputs.checkBeforeSend() && post({ type: 'send', text }))}
					</div>
					<button type="button" class="toEnd codicon codicon-arrow-down" title=${strings.toEnd} aria-label=${strings.toEnd} hidden @click=${() => this.#scroll?.scrollToEnd()}></button>
				</main>
				<div class="notice" role="alert">${this.#notice.text}</div>
				${renderSummaryOffer(head, strings, post)}
				${this.#annotations.render(strings)}
				${this.#inputs.render(head, strings)}
				<chat-composer .head=${head} .strings=${strings} .preferences=${preferences} .post=${post} .ready=${() => this.#inputs.checkBeforeSend()} .keepDraft=${(text: string) => this.#saveDraft(text)}></chat-composer>
				<div class="forReaders" role="status" aria-live="polite"></div>
			`;
	}

	protected override onRendered(): void {
		const box = this.root.querySelector<HTMLElement>('.turns');
		const list = this.root.querySelector<HTMLElement>('.turnList');
		const button = this.root.querySelector<HTMLElement>('.toEnd');
		if (box && list && button && !this.#scroll) {
			const scroll = new ScrollKeeper(box, list, sticks => {
				button.hidden = sticks;
			});
			this.#scroll = scroll;
			box.addEventListener('scrollend', () => this.host.saveFields({ scroll: scroll.sticks ? null : scroll.position }));
		}
	}

	#saveDraft(text: string, chatId = this.#state?.head.chatId): void {
		if (chatId !== undefined) {
			const { [chatId]: _, ...others } = this.host.state.drafts ?? {};
			this.host.saveFields({ drafts: text ? { ...others, [chatId]: text } : others });
		}
	}

	#setSettingsOpen(open: boolean): void {
		this.#settingsOpen = open;
		this.host.saveFields({ settingsOpen: open });
		this.render();
	}

	#announceText(text: string): void {
		const region = this.root.querySelector('.forReaders');
		if (region) {
			region.textContent = text;
		}
	}
}
