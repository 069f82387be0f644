import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import type { FromHost, FromPanel, Speech } from './panel/panelProtocol.ts';
import type { ShownTurn } from './transcript/chatChanges.ts';
import './turns/chatTurn.ts';
import './composer/composer.ts';
import type { FormDraft } from '../shared/form/formDraft.ts';
import { RunFormElement } from '../shared/form/runForm.ts';
import { AnnotationPane, type OpenAnnotation } from './apps/annotationPane.ts';
import { suggestedView } from './apps/suggestedView.ts';
import { codeActions } from './codeActions.ts';
import type { ChatComposer } from './composer/composer.ts';
import { emptyView } from './emptyView.ts';
import { fileLink } from './fileLinks.ts';
import { headerView } from './headerView.ts';
import { InputsPane } from './inputsPane.ts';
import { MarkdownText } from './markdownText.ts';
import { Notice } from './notice.ts';
import { applyChanges, endText, type PanelState, stateFrom } from './panelState.ts';
import { RemoteImages } from './remoteImages.ts';
import { ScrollKeeper } from './scrollKeeper.ts';
import { settingsView } from './settingsView.ts';
import type { ChatTurnElement } from './turns/chatTurn.ts';
import { formDrafts } from './turns/formDrafts.ts';
import { shownText } from './turns/shownText.ts';

/** State that survives hiding the page. Drafts of messages are saved by chat. */
interface Kept {
	chatId: string;
	drafts: Record<string, string>;
	/** Drafts of unsent forms, by form ID. */
	forms: Record<string, FormDraft>;
	/** Drafts of agent inputs, by chat and agent. */
	inputs: Record<string, FormDraft>;
	/** Forms of agent inputs that are collapsed. */
	foldedInputs: readonly string[];
	settingsOpen: boolean;
	/** The annotation that is being edited. */
	annotation: OpenAnnotation | null;
	/** Scroll position of the transcript; `null` at its end. */
	scroll: number | null;
}

/** The page of a chat panel. */
export class ChatPage extends Page<FromHost, FromPanel, Kept> {
	readonly #images = new RemoteImages(
		message => this.post(message),
		() => this.#strings,
	);
	#state: PanelState | undefined;
	readonly #inputs: InputsPane;
	readonly #formDrafts = formDrafts(this.host);
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
			post: message => this.post(message),
			changed: () => this.render(),
			kept: () => host.state.annotation ?? undefined,
			keep: annotation => host.keep({ annotation: annotation ?? null }),
			head: () => this.#state?.head,
		});
		this.#inputs = new InputsPane({
			root,
			post: message => this.post(message),
			keeper: {
				get drafts() {
					return host.state.inputs ?? {};
				},
				keep: inputs => host.keep({ inputs }),
				get folded() {
					return host.state.foldedInputs ?? [];
				},
				fold: foldedInputs => {
					host.keep({ foldedInputs });
					this.render();
				},
			},
		});
	}

	/** Opens an annotation with a reply and its question. */
	#annotate(turnId: string): void {
		const turns = this.#state?.turns ?? [];
		const at = turns.findIndex(({ id }) => id === turnId);
		const textAt = (index: number) => shownText(turns[index]?.parts ?? []).trim();
		this.#annotations.open({ question: textAt(at - 1), answer: textAt(at) });
	}

	override start(): void {
		MarkdownText.actions = {
			code: codeActions(
				() => this.#strings,
				message => this.post(message),
				text => this.#announce(text),
			),
			image: link => this.#images.element(link),
			file: fileLink(message => this.post(message)),
		};
		this.root.addEventListener('notice', event => this.#notice.show((event as CustomEvent<string>).detail));
		this.root.addEventListener('annotate', event => this.#annotate((event as CustomEvent<string>).detail));
		this.root.addEventListener('speak', event => {
			const turn = (event as CustomEvent<string>).detail;
			this.#speech.set(turn, 'asked');
			this.post({ type: 'speak', turn });
			this.render();
		});
		this.root.addEventListener('dragover', event => event.preventDefault());
		this.root.addEventListener('drop', event => {
			event.preventDefault();
			this.#composer?.drop(event.dataTransfer);
		});
		super.start();
	}

	get #strings() {
		if (!this.#state) {
			throw new Error('The page has no state before its first snapshot');
		}
		return this.#state.strings;
	}

	protected override post(message: FromPanel): void {
		if (message.type === 'edit') {
			this.#composer?.history.add(message.text);
		}
		super.post(message);
	}

	protected override readonly handlers: Handlers<FromHost> = {
		snapshot: message => this.#begin(message),
		changes: message => this.#change(message),
		mentions: message => this.#composer?.offer(message.query, message.files),
		image: message => this.#images.loaded(message.url, message.data, message.problem),
		notice: message => this.#notice.show(message.text),
		formProblem: message => this.#form(message.form)?.take(message),
		formFiles: message => this.#form(message.form)?.take(message),
		inputFiles: message => this.#inputs.take(message.field, message.files),
		spoken: message => {
			if (message.speech) {
				this.#speech.set(message.turn, message.speech);
			} else {
				this.#speech.delete(message.turn);
			}
			this.render();
		},
		heard: message => this.#composer?.addText(message.text),
		annotation: message => this.#annotations.open(message.annotation),
		annotationSaved: message => {
			this.#annotations.saved(message.problem);
			if (message.problem === undefined) {
				this.#notice.show(this.#strings.annotationSaved);
			}
		},
		refused: message => {
			this.#composer?.giveBack(message.text);
			this.#notice.show(message.refusal);
		},
		focus: () => this.#composer?.focusBox(),
		openSettings: () => {
			this.#openSettings(true);
			this.root.querySelector<HTMLElement>('.settings [aria-invalid="true"], .settings textarea, .settings input')?.focus();
		},
	};

	#begin(message: Extract<FromHost, { type: 'snapshot' }>): void {
		const { chatId } = message.head;
		const sameChat = (this.#state?.head.chatId ?? this.host.state.chatId) === chatId;
		const isFirst = this.#state === undefined;
		const shownChat = this.#state?.head.chatId;
		this.#state = stateFrom(message);
		this.render();
		const composer = this.#composer;
		composer?.history.reset(message.history);
		if (shownChat !== chatId) {
			void composer?.updateComplete.then(() => composer.setText(this.host.state.drafts?.[chatId] ?? ''));
		}
		const { scroll } = this.host.state;
		if (sameChat && isFirst && typeof scroll === 'number') {
			this.#scroll?.restore(scroll);
		} else if (!sameChat || isFirst) {
			this.#scroll?.toEnd();
		}
		this.host.keep({ chatId });
	}

	#change({ seq, changes }: Extract<FromHost, { type: 'changes' }>): void {
		const state = this.#state;
		const turnsBefore = state?.turns.length;
		const applied = state && applyChanges(state, seq, changes);
		if (!applied) {
			this.post({ type: 'resync' });
			return;
		}
		if (applied.scope !== 'turns') {
			this.render();
		}
		for (const turn of applied.turns) {
			this.#turnElement(turn)?.requestUpdate();
		}
		if (turnsBefore !== undefined && state.turns.length > turnsBefore) {
			this.#scroll?.toEnd();
		}
		for (const turn of applied.ended) {
			// once, because screen readers shouldn't read a reply token by token
			this.#announce(endText(turn, this.#strings));
		}
	}

	#form(id: string): RunFormElement | undefined {
		const element = this.root.querySelector(`run-form[data-form="${CSS.escape(id)}"]`);
		return element instanceof RunFormElement ? element : undefined;
	}

	#turnElement(turn: ShownTurn): ChatTurnElement | null {
		return this.root.querySelector<ChatTurnElement>(`chat-turn[data-id="${turn.id}"]`);
	}

	get #composer(): ChatComposer | null {
		return this.root.querySelector('chat-composer');
	}

	protected override view(): unknown {
		const state = this.#state;
		if (!state) {
			return undefined;
		}
		const { head, strings, preferences, turns } = state;
		const post = (message: FromPanel) => this.post(message);
		const lastId = turns.at(-1)?.id;
		return html`
				${headerView(head, strings, this.#settingsOpen, () => this.#openSettings(!this.#settingsOpen), post)}
				${this.#settingsOpen ? settingsView(head, { strings, preferences, post }) : nothing}
				<main class="turns" tabindex="0" aria-label=${strings.turns}>
					<div class="turnList">
						${turns.length === 0 ? emptyView(head, strings, message => (message.type !== 'send' || this.#inputs.beforeSend()) && post(message)) : nothing}
						${repeat(
							turns,
							turn => turn.id,
							turn =>
								html`<chat-turn data-id=${turn.id} .turn=${turn} .strings=${strings} .sendOn=${preferences.sendOn} .post=${post} .drafts=${this.#formDrafts} .app=${head.app} .speech=${this.#speech.get(turn.id)} ?busy=${head.busy} ?last=${turn.id === lastId} ?continues=${turn.id === lastId && head.continues}></chat-turn>`,
						)}
						${suggestedView(turns.at(-1), head, strings, text => this.#inputs.beforeSend() && post({ type: 'send', text }))}
					</div>
					<button type="button" class="toEnd codicon codicon-arrow-down" title=${strings.toEnd} aria-label=${strings.toEnd} hidden @click=${() => this.#scroll?.toEnd()}></button>
				</main>
				<div class="notice" role="alert">${this.#notice.text}</div>
				${this.#annotations.view(strings)}
				${this.#inputs.view(head, strings)}
				<chat-composer .head=${head} .strings=${strings} .preferences=${preferences} .post=${post} .ready=${() => this.#inputs.beforeSend()} .keepDraft=${(text: string) => this.#keepDraft(text)}></chat-composer>
				<div class="forReaders" role="status" aria-live="polite"></div>
			`;
	}

	protected override rendered(): void {
		const box = this.root.querySelector<HTMLElement>('.turns');
		const list = this.root.querySelector<HTMLElement>('.turnList');
		const button = this.root.querySelector<HTMLElement>('.toEnd');
		if (box && list && button && !this.#scroll) {
			const scroll = new ScrollKeeper(box, list, sticks => {
				button.hidden = sticks;
			});
			this.#scroll = scroll;
			box.addEventListener('scrollend', () => this.host.keep({ scroll: scroll.sticks ? null : scroll.position }));
		}
	}

	#keepDraft(text: string): void {
		const chatId = this.#state?.head.chatId;
		if (chatId !== undefined) {
			const { [chatId]: _, ...others } = this.host.state.drafts ?? {};
			this.host.keep({ drafts: text ? { ...others, [chatId]: text } : others });
		}
	}

	#openSettings(open: boolean): void {
		this.#settingsOpen = open;
		this.host.keep({ settingsOpen: open });
		this.render();
	}

	#announce(text: string): void {
		const region = this.root.querySelector('.forReaders');
		if (region) {
			region.textContent = text;
		}
	}
}
