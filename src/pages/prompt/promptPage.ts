import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { MarkdownText } from '../chat/markdownText.ts';
import { fill } from '../shared/fill.ts';
import type { Handlers } from '../shared/handlers.ts';
import { restoreFocusOnReturn } from '../shared/keepFocus.ts';
import { Page } from '../shared/page.ts';
import { isRunning, renderColumn } from './columnView.ts';
import { renderPromptEditor } from './promptEditor.ts';
import type { EditedPrompt, FromPrompt, FromPromptHost, PromptAnswer, PromptState } from './promptMessages.ts';
import { mostColumns, type PromptStrings } from './promptStrings.ts';

/** State that survives hiding the page and a restart. The host reads it when it restores the panel. */
interface Kept {
	state: PromptState;
}

export class PromptPage extends Page<FromPromptHost, FromPrompt, Kept> {
	#strings: PromptStrings | undefined;
	#state: PromptState | undefined;
	#notice: { readonly text: string; readonly isProblem: boolean } | undefined;
	/** ID of the message whose text gets the focus. */
	#wanted: string | undefined;

	override start(): void {
		const getStrings = () => this.#strings;
		MarkdownText.actions = {
			code: {
				get strings() {
					// answers are shown only after the host has sent the strings
					return getStrings()!.answers.markdown;
				},
				get buttons() {
					return [{ action: 'copy', label: getStrings()?.answers.copy ?? '', icon: 'copy' }];
				},
				run: (_action, text) => this.postMessage({ type: 'copy', text }),
			},
			renderImage: link => createText(link),
			renderFile: link => createText(link),
		};
		window.addEventListener('keydown', event => {
			if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
				event.preventDefault();
				this.#runAll();
			}
		});
		restoreFocusOnReturn(this.root, () => this.#focusPrompt());
		super.start();
	}

	protected override readonly handlers: Handlers<FromPromptHost> = {
		snapshot: ({ strings, state }) => {
			const isFirst = this.#state === undefined;
			this.#strings = strings;
			this.#setState(state);
			if (isFirst) {
				this.#focusPrompt();
			}
		},
		columns: ({ columns }) => this.#changeState({ columns }),
		answer: ({ column, answer }) => this.#onAnswer(column, answer),
		applied: ({ source, bases, text }) => {
			const { prompt } = this.#state ?? {};
			this.#notice = { text, isProblem: false };
			this.#changeState({
				source,
				...(prompt && {
					prompt: { ...prompt, messages: prompt.messages.map(message => ({ ...message, base: bases[message.id] ?? message.base })) },
				}),
			});
		},
		notice: notice => {
			this.#notice = notice;
			this.render();
		},
	};

	#onAnswer(id: string, answer: PromptAnswer): void {
		const column = this.#state?.columns.find(each => each.id === id);
		const { status } = answer.reply;
		if (column && this.#strings && column.answer?.reply.status === 'streaming' && status !== 'streaming') {
			this.announcement = fill(status === 'failed' ? this.#strings.failed : this.#strings.done, column.model);
		}
		if (column && this.#state) {
			// saving all of the state for each part of an answer would be slow
			const isGrowing = column.answer?.reply.status === 'streaming' && status === 'streaming';
			this.#setState(
				{ ...this.#state, columns: this.#state.columns.map(each => (each.id === id ? { ...each, answer } : each)) },
				!isGrowing,
			);
		}
	}

	#changeState(fields: Partial<PromptState>): void {
		if (this.#state) {
			this.#setState({ ...this.#state, ...fields });
		}
	}

	#setState(state: PromptState, isSaved = true): void {
		this.#state = state;
		if (isSaved) {
			this.host.saveFields({ state });
		}
		this.render();
	}

	#changePrompt(prompt: EditedPrompt): void {
		this.#notice = undefined;
		this.#changeState({ prompt });
		this.postMessage({ type: 'prompt', prompt });
	}

	#runAll(): void {
		this.#notice = undefined;
		// a field of a parameter reports its value only when it loses the focus
		document.activeElement?.dispatchEvent(new Event('change'));
		this.postMessage({ type: 'runAll' });
		this.render();
	}

	/** Focuses the first empty message, or else the last one. */
	#focusPrompt(): void {
		const { messages } = this.#state?.prompt ?? { messages: [] };
		const message = messages.find(({ role, text }) => role === 'user' && text === '') ?? messages.findLast(({ role }) => role === 'user');
		document.getElementById(`message-${message?.id}`)?.focus();
	}

	protected override renderPage(): unknown {
		const [state, strings] = [this.#state, this.#strings];
		if (!state || !strings) {
			return undefined;
		}
		return html`${this.#renderHeader(state, strings)}
			<main class="playground">
				${renderPromptEditor({
					prompt: state.prompt,
					strings,
					change: prompt => this.#changePrompt(prompt),
					focusMessage: id => {
						this.#wanted = id;
						this.render();
					},
				})}
				${this.#renderModels(state, strings)}
			</main>
			${this.renderAnnouncer()}`;
	}

	protected override onRendered(): void {
		if (this.#wanted !== undefined) {
			document.getElementById(`message-${this.#wanted}`)?.focus();
			this.#wanted = undefined;
		}
	}

	#renderHeader({ source, columns }: PromptState, strings: PromptStrings): unknown {
		const notice = this.#notice;
		const isFull = columns.length >= mostColumns;
		return html`<header class="top">
			<h1 title=${source.title}>${source.title}</h1>
			${source.file === undefined ? nothing : html`<button type="button" class="iconButton" title=${strings.goToSource} aria-label=${strings.goToSource} @click=${() => this.postMessage({ type: 'showSource' })}><span class="codicon codicon-go-to-file" aria-hidden="true"></span></button>`}
			<p class="notice" role="status">${notice && !notice.isProblem ? notice.text : nothing}</p>
			${
				columns.length === 0
					? nothing
					: html`<div class="actions">
						<button type="button" class="wordButton" title=${isFull ? strings.mostModels : strings.addModel} ?disabled=${isFull} @click=${() => this.postMessage({ type: 'addModel' })}><span class="codicon codicon-add" aria-hidden="true"></span>${strings.addModel}</button>
						${
							columns.some(isRunning)
								? html`<button type="button" class="formButton default" @click=${() => this.postMessage({ type: 'stopAll' })}>${strings.stopAll}</button>`
								: html`<button type="button" class="formButton primary" title=${strings.runAllHint} @click=${() => this.#runAll()}>${strings.runAll}</button>`
						}
					</div>`
			}
		</header>
		<p class="formProblem" role="alert">${notice?.isProblem ? html`<span class="codicon codicon-error" aria-hidden="true"></span><span>${notice.text}</span>` : nothing}</p>`;
	}

	#renderModels({ columns, source }: PromptState, strings: PromptStrings): unknown {
		return html`<section class="models" aria-label=${strings.models}>
			${
				columns.length === 0
					? html`<div class="empty"><h2>${strings.noModels}</h2><p>${strings.noModelsHelp}</p><button type="button" class="formButton primary" @click=${() => this.postMessage({ type: 'addModel' })}>${strings.addModel}</button></div>`
					: repeat(
							columns,
							({ id }) => id,
							column =>
								renderColumn({
									column,
									source,
									strings,
									hasOther: columns.some(({ id, answer }) => id !== column.id && answer?.text),
									act: action => {
										this.#notice = undefined;
										this.postMessage({ type: 'column', column: column.id, action });
										this.render();
									},
								}),
						)
			}
		</section>`;
	}
}

/** Replaces a link by its text, because the page opens nothing. */
function createText(link: HTMLAnchorElement): HTMLElement {
	const text = document.createElement('span');
	text.append(...link.childNodes);
	return text;
}
