import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { fill } from '../../shared/fill.ts';
import { formatBytes } from '../../shared/form/fieldParts.ts';
import { joinDrafts } from '../keptState.ts';
import type { FromPanel, Mention, MentionTrigger, PanelHead, PanelPreferences } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import { getDroppedUris, readFiles } from './droppedFiles.ts';
import { findMention } from './findMention.ts';
import { MentionList } from './mentionList.ts';
import { MessageHistory } from './messageHistory.ts';
import { isSendKey } from './sendKey.ts';
import { renderTokenGauge } from './tokenGauge.ts';

/** The message box with attachments, the lists of context and commands, and the send and stop buttons. */
export class ChatComposer extends LitElement {
	static override properties = {
		head: { attribute: false },
		strings: { attribute: false },
		preferences: { attribute: false },
	};

	declare head: PanelHead;
	declare strings: PanelStrings;
	declare preferences: PanelPreferences;
	declare post: (message: FromPanel) => void;
	/** Checks the agent inputs before sending and shows their problems. Returns true if the message can be sent. */
	declare ready: () => boolean;
	/** Saves the draft of the message. */
	declare keepDraft: (text: string) => void;
	readonly history = new MessageHistory();
	readonly #mentions = new MentionList(this, item => this.#insertMention(item));

	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	get #box(): HTMLTextAreaElement | null {
		return this.querySelector('textarea');
	}

	/** Sets the text, as if it had been typed. */
	setText(text: string): void {
		if (this.#box) {
			this.#box.value = text;
			this.#box.setSelectionRange(text.length, text.length);
			this.keepDraft(text);
			this.#mentions.close();
		}
	}

	/** Restores a message that wasn't sent. Keeps what the user has typed since. */
	restoreText(text: string): void {
		this.setText(joinDrafts(text, this.#box?.value));
	}

	/** Sets the message if it's empty. */
	suggestText(text: string): void {
		if ((this.#box?.value ?? '') === '') {
			this.setText(text);
		}
	}

	/** Appends text to the message. */
	addText(text: string): void {
		const before = this.#box?.value ?? '';
		this.setText(before === '' || /\s$/.test(before) ? before + text : `${before} ${text}`);
		this.focusBox();
	}

	/** Attaches files that were dropped on the page. */
	attachDroppedFiles(transfer: DataTransfer | null): void {
		const uris = getDroppedUris(transfer);
		if (uris.length > 0) {
			this.post({ type: 'attachUris', uris });
		} else {
			void this.#attachFiles([...(transfer?.files ?? [])]);
		}
	}

	focusBox(): void {
		this.#box?.focus();
	}

	/** Shows what the host found for a list. */
	showMentions(trigger: MentionTrigger, query: string, items: readonly Mention[]): void {
		this.#mentions.showItems(trigger + query, items);
	}

	protected override render(): TemplateResult {
		const { head, strings, preferences } = this;
		const hint = preferences.sendOn === 'enter' ? strings.sendHintEnter : strings.sendHintCtrlEnter;
		return html`
			<div class="composer">
				${this.#mentions.render(strings.mentions)}
				${head.attachments.length > 0 ? html`<ul class="attachments">${head.attachments.map(attachment => this.#renderChip(attachment))}</ul>` : nothing}
				${head.refusal ? html`<p class="note"><span class="codicon codicon-warning" aria-hidden="true"></span>${head.refusal}</p>` : nothing}
				<textarea
					rows="1"
					dir="auto"
					aria-label=${strings.messageBox}
					placeholder=${head.ask}
					aria-autocomplete="list"
					aria-controls=${this.#mentions.open ? 'mentions' : nothing}
					aria-activedescendant=${this.#mentions.activeId ?? nothing}
					@input=${this.#handleInput}
					@keydown=${this.#handleKey}
					@paste=${this.#handlePaste}
					@blur=${() => this.#mentions.close()}
				></textarea>
				<div class="composerBar">
					<vscode-toolbar-button icon="attach" label=${strings.attach} title=${strings.attach} @click=${() => this.post({ type: 'attachFiles' })}></vscode-toolbar-button>
					${head.app?.hears ? html`<vscode-toolbar-button class="listen" icon="mic" label=${strings.listen} title=${strings.listen} @click=${() => this.post({ type: 'listen' })}></vscode-toolbar-button>` : nothing}
					${this.#renderTools()}
					<span class="grow"></span>
					${renderTokenGauge(head.tokens, strings)}
					${
						head.busy
							? html`<vscode-toolbar-button icon="debug-stop" label=${strings.stop} title=${strings.stop} class="stop" @click=${() => this.post({ type: 'stop' })}></vscode-toolbar-button>`
							: html`<vscode-toolbar-button icon="send" label=${strings.send} title=${hint} class="send" @click=${this.#sendMessage}></vscode-toolbar-button>`
					}
				</div>
			</div>`;
	}

	#renderTools(): TemplateResult {
		const { chosen, refused } = this.head.tools;
		const label = chosen > 0 ? fill(this.strings.toolsChosen, chosen) : this.strings.tools;
		return html`<vscode-toolbar-button class="tools ${chosen > 0 && !refused ? 'chosen' : ''}" icon="tools" label=${label} title=${refused ? `${label}: ${refused}` : label} @click=${() => this.post({ type: 'pickTools' })}></vscode-toolbar-button>`;
	}

	#renderChip({ id, part, size }: PanelHead['attachments'][number]): TemplateResult {
		const name = part.kind === 'file' && part.lines ? `${part.name}:${part.lines}` : part.name;
		const label = fill(this.strings.removeAttachment, name);
		const preview =
			part.kind === 'image'
				? html`<img src=${`data:${part.mimeType};base64,${part.data}`} alt="">`
				: html`<span class="codicon codicon-file" aria-hidden="true"></span>`;
		const bytes = formatBytes(size, this.strings.form);
		return html`<li class="chip" title=${`${name} (${bytes})`}>${preview}<span class="chipName">${name}</span><span class="dim chipSize">${bytes}</span>
			<button type="button" class="iconButton codicon codicon-close" title=${label} aria-label=${label} @click=${() => this.post({ type: 'detach', id })}></button></li>`;
	}

	#sendMessage(): void {
		const box = this.#box;
		if (!box || this.head.busy || (box.value.trim() === '' && this.head.attachments.length === 0) || !this.ready()) {
			return;
		}
		this.post({ type: 'send', text: box.value });
		this.history.add(box.value);
		this.setText('');
		box.focus();
	}

	#handleInput(): void {
		this.history.stopRecalling();
		this.keepDraft(this.#box?.value ?? '');
		this.#requestMentions();
	}

	#handleKey(event: KeyboardEvent): void {
		const sends = event.key === 'Enter' && isSendKey(event, this.preferences.sendOn);
		// the input method handles these keys
		if (event.isComposing || this.#mentions.handleKey(event, () => (sends ? this.#sendMessage() : this.#insertLineBreak()))) {
			return;
		}
		const withControl = event.ctrlKey || event.metaKey;
		if (sends) {
			event.preventDefault();
			this.#sendMessage();
		} else if (event.key === 'Escape' && this.head.busy) {
			this.post({ type: 'stop' });
		} else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && !withControl && !event.shiftKey && !event.altKey) {
			this.#recallMessage(event);
		}
	}

	#insertLineBreak(): void {
		const box = this.#box;
		if (box) {
			box.setRangeText('\n', box.selectionStart, box.selectionEnd, 'end');
			this.#handleInput();
		}
	}

	/** Goes through sent messages with the arrow keys if the cursor is at the start. */
	#recallMessage(event: KeyboardEvent): void {
		const box = this.#box;
		const atStart = box?.selectionStart === 0 && box.selectionEnd === 0;
		const atEnd = box?.selectionStart === box?.value.length;
		const older = event.key === 'ArrowUp';
		if (box && ((older && (atStart || this.history.recalling)) || (!older && this.history.recalling && atEnd))) {
			const text = older ? this.history.getOlderMessage(box.value) : this.history.getNewerMessage();
			if (text !== undefined) {
				event.preventDefault();
				this.setText(text);
			}
		}
	}

	#requestMentions(): void {
		const typed = findMention(this.#getTextBeforeCursor());
		if (typed) {
			this.#mentions.requestItems(typed.trigger + typed.query, () => this.post({ type: 'mentions', ...typed }));
		} else {
			this.#mentions.close();
		}
	}

	#getTextBeforeCursor(): string {
		const box = this.#box;
		return box?.value.slice(0, box.selectionStart) ?? '';
	}

	#insertMention({ text, source }: Mention): void {
		const box = this.#box;
		const before = this.#getTextBeforeCursor();
		const typed = findMention(before);
		if (box && typed) {
			const start = before.slice(0, before.length - typed.query.length);
			const continues = source === undefined && text.endsWith(':');
			const completed = `${start}${text}${continues ? '' : ' '}`;
			box.value = completed + box.value.slice(before.length);
			box.setSelectionRange(completed.length, completed.length);
			this.keepDraft(box.value);
			box.focus();
			if (continues) {
				this.#requestMentions();
			}
		}
		if (source !== undefined) {
			this.post({ type: 'attachContext', source });
		}
	}

	#handlePaste(event: ClipboardEvent): void {
		const files = [...(event.clipboardData?.files ?? [])];
		if (files.length > 0) {
			event.preventDefault();
			void this.#attachFiles(files);
		}
	}

	async #attachFiles(files: readonly File[]): Promise<void> {
		for await (const { name, mimeType, data } of readFiles(files)) {
			if (data === undefined) {
				this.dispatchEvent(new CustomEvent('notice', { detail: fill(this.strings.fileTooLarge, name), bubbles: true }));
			} else {
				this.post({ type: 'attachData', name, mimeType, data });
			}
		}
	}
}

customElements.define('chat-composer', ChatComposer);
