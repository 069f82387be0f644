import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import type { ShownConversation } from './conversationDetail.ts';

/** What a model was told and what it answered, a bubble a message. */
export function conversationView({ messages, model, finish, tokensIn, tokensOut }: ShownConversation, strings: InspectorStrings): unknown {
	const facts = [
		...(model ? [model] : []),
		...(tokensIn === undefined ? [] : [fill(strings.tokensIn, tokensIn.toLocaleString())]),
		...(tokensOut === undefined ? [] : [fill(strings.tokensOut, tokensOut.toLocaleString())]),
		...(finish ? [finish] : []),
	];
	return html`<ol class="messages">
			${messages.map(
				({ role, text }) => html`<li class="message ${role}">
					<span class="role dim">${strings.roles[role] ?? role}</span>
					<div class="said" dir="auto">${text}</div>
				</li>`,
			)}
		</ol>
		${facts.length > 0 ? html`<p class="facts">${facts.join(' · ')}</p>` : nothing}`;
}
