import { html, nothing } from 'lit';
import type { PanelHead } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { Turn } from '../transcript/transcript.ts';

/** Renders the suggested questions after the last reply. */
export function renderSuggestedQuestions(
	last: Turn | undefined,
	{ busy }: PanelHead,
	strings: PanelStrings,
	ask: (question: string) => void,
): unknown {
	const questions = last?.reply?.suggested;
	if (!questions?.length || busy) {
		return nothing;
	}
	return html`<div class="opening suggested" role="group" aria-label=${strings.suggested}>
		${questions.map(question => html`<button type="button" class="question" dir="auto" @click=${() => ask(question)}>${question}</button>`)}
	</div>`;
}
