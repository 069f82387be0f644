import { html, nothing } from 'lit';
import { indentJson } from '#base/text/json.ts';
import { fill } from '../../shared/fill.ts';
import type { FormPage } from '../../shared/form/runForm.ts';
import type { FromPanel } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { ChatPart, ReplyCitation, Turn } from '../transcript/transcript.ts';
import '../../shared/form/runForm.ts';
import { renderAgentStep } from './agentStep.ts';
import { renderStoredFile } from './storedFile.ts';
import { renderToolRow } from './toolRow.ts';

/** Context shared by the parts of a turn. */
export interface PartContext {
	readonly strings: PanelStrings;
	readonly streaming: boolean;
	/** Handles the forms of this turn. */
	readonly forms: FormPage;
	post(message: FromPanel): void;
	/** Renders the turn again, because a part was expanded or collapsed. */
	requestUpdate(): void;
}

/** Renders a part of a turn. `last`: true for the last part, which grows while streaming. */
export function renderPart(part: ChatPart, turn: Turn, last: boolean, context: PartContext): unknown {
	const { strings, streaming, post } = context;
	switch (part.kind) {
		case 'text':
			return turn.role === 'user'
				? html`<div class="plain" dir="auto">${part.text}</div>`
				: html`<markdown-text .complete=${!(streaming && last)} .text=${part.text}></markdown-text>${renderSources(part.citations, strings)}`;
		case 'thinking':
			return renderThinking(part, streaming && last, context);
		case 'image':
			return html`<img class="picture" src=${`data:${part.mimeType};base64,${part.data}`} alt=${fill(strings.image, part.name)}>`;
		case 'audio':
			return html`<audio controls src=${`data:${part.mimeType};base64,${part.data}`}></audio>`;
		case 'document':
		case 'file': {
			const lines = part.kind === 'file' ? part.lines : undefined;
			const place = lines ? `${part.name}:${lines}` : part.name;
			const uri = part.kind === 'file' ? part.uri : undefined;
			return uri
				? html`<button type="button" class="chip" title=${place} @click=${() => post({ type: 'openFile', uri, ...(lines && { lines }) })}><span class="codicon codicon-file" aria-hidden="true"></span>${place}</button>`
				: html`<span class="chip"><span class="codicon codicon-file" aria-hidden="true"></span>${place}</span>`;
		}
		case 'stored':
			return renderStoredFile(part, turn, strings, post);
		case 'toolCall':
			if (part.run) {
				return renderToolRow(part, part.run, turn, context);
			}
			return renderCollapsedText('tools', fill(strings.toolCall, part.name), indentJson(part.input || '{}'));
		case 'toolResult':
			// results of this editor's tools are shown with their call
			return turn.role === 'assistant'
				? nothing
				: renderCollapsedText(
						part.isError ? 'error' : 'output',
						fill(part.isError ? strings.toolFailed : strings.toolResult, part.name),
						part.output,
					);
		case 'step':
			return renderAgentStep(part, turn, context);
		case 'form':
			return renderFormPart(part, context);
		case 'other':
			return html`<p class="note">${fill(strings.unknownPart, part.type)}</p>`;
	}
}

function renderFormPart({ form, answer }: Extract<ChatPart, { kind: 'form' }>, { strings, streaming, forms }: PartContext): unknown {
	if (answer === undefined && !streaming) {
		return html`<run-form data-form=${form.id} .form=${form} .page=${forms}></run-form>`;
	}
	return html`<p class="note"><span class="codicon codicon-checklist" aria-hidden="true"></span>${answer === undefined ? form.title : fill(strings.answered, form.title, answer)}</p>`;
}

function renderThinking(part: Extract<ChatPart, { kind: 'thinking' }>, open: boolean, { strings, requestUpdate }: PartContext): unknown {
	if (part.redacted !== undefined) {
		return html`<p class="note">${strings.hiddenThinking}</p>`;
	}
	if (!part.text && !open) {
		return nothing;
	}
	const onToggle = (event: Event) => {
		shownThinking.set(part, (event.target as HTMLDetailsElement).open);
		requestUpdate();
	};
	const shown = shownThinking.get(part) ?? false;
	return html`<details class="thinking" @toggle=${onToggle}>
		<summary><span class="codicon codicon-lightbulb" aria-hidden="true"></span>${open ? strings.thinkingNow : strings.thinking}</summary>
		${shown ? html`<div class="plain" dir="auto">${part.text}</div>` : nothing}
	</details>`;
}

/** Expanded thinking parts. The content of collapsed ones isn't rendered. */
const shownThinking = new WeakMap<ChatPart, boolean>();

function renderCollapsedText(icon: string, title: string, text: string): unknown {
	return html`<details class="tool">
		<summary><span class="codicon codicon-${icon}" aria-hidden="true"></span>${title}</summary>
		<pre tabindex="0" dir="ltr">${text}</pre>
	</details>`;
}

/** Renders the sources of a reply: links, or documents that expand to the quoted passages. */
function renderSources(citations: readonly ReplyCitation[] | undefined, strings: PanelStrings): unknown {
	if (!citations?.length) {
		return nothing;
	}
	return html`<section class="sources" aria-label=${strings.sources}><span>${strings.sources}</span><ol>${citations.map(citation => renderSource(citation, strings))}</ol></section>`;
}

function renderSource({ title, url, quote, from, score }: ReplyCitation, strings: PanelStrings): unknown {
	if (url && /^https?:/i.test(url)) {
		return html`<li><a href=${url} title=${quote ?? url}>${title}</a></li>`;
	}
	const facts = [...(from ? [from] : []), ...(score === undefined ? [] : [fill(strings.score, score.toFixed(2))])].join(' · ');
	const name = html`<span dir="auto">${title}</span>${facts ? html` <span class="sourceFacts" dir="auto">${facts}</span>` : nothing}`;
	return quote
		? html`<li><details><summary>${name}</summary><blockquote class="plain" dir="auto" tabindex="0" aria-label=${title}>${quote}</blockquote></details></li>`
		: html`<li>${name}</li>`;
}
