import { html, nothing, type TemplateResult } from 'lit';
import type { FromPanel, PanelHead } from './panel/panelProtocol.ts';
import type { PanelStrings } from './panel/panelStrings.ts';

/** Renders an empty chat: the opening statement and questions of its agent, or a hint. */
export function renderEmptyChat({ opening, busy }: PanelHead, strings: PanelStrings, post: (message: FromPanel) => void): TemplateResult {
	if (!opening) {
		return html`<div class="empty"><p>${strings.emptyTitle}</p><p class="help">${strings.emptyHint}</p></div>`;
	}
	const sendQuestion = (text: string) => post({ type: 'send', text });
	return html`
		<div class="opening">
			${opening.statement === '' ? nothing : html`<p class="statement">${opening.statement}</p>`}
			${opening.questions.map(question => html`<button type="button" class="question" ?disabled=${busy} @click=${() => sendQuestion(question)}>${question}</button>`)}
		</div>
	`;
}
