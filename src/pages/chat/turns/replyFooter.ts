import { html, nothing } from 'lit';
import { renderFeedback } from '../apps/replyActions.ts';
import type { FromPanel } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { ReplyFacts, Turn } from '../transcript/transcript.ts';
import { formatFacts } from './replyFacts.ts';

interface FooterContext {
	readonly turn: Turn;
	readonly strings: PanelStrings;
	/** True while a reply is being received, so that nothing can be sent. */
	readonly busy: boolean;
	/** True if the reply was cut off and can be continued. */
	readonly continues: boolean;
	post(message: FromPanel): void;
}

/** Renders the footer of a reply: how it ended, usage and cost, and actions after a failure. */
export function renderReplyFooter(context: FooterContext): unknown {
	const { turn, strings } = context;
	const { reply } = turn;
	if (!reply || reply.status === 'streaming') {
		return nothing;
	}
	const facts = formatFacts(reply, strings);
	return html`
		${(reply.notes ?? []).map(note => html`<p class="note"><span class="codicon codicon-info" aria-hidden="true"></span>${note}</p>`)}
		${renderNotice(reply, strings)}
		${reply.problem ? renderProblem(reply.problem, context) : nothing}
		${context.continues && !reply.problem ? html`<div class="row">${renderContinue(context)}${renderRetry(context)}</div>` : nothing}
		${
			facts.length > 0 || reply.runId
				? html`<footer class="facts" title=${reply.finish?.reason ?? ''}>${facts.join(' · ')}${reply.runId ? html` <button type="button" class="linkButton" @click=${() => context.post({ type: 'inspectRun', turn: turn.id })}>${strings.inspectRun}</button>` : nothing}</footer>`
				: nothing
		}
		${renderFeedback(turn, reply, strings, message => context.post(message))}`;
}

function renderNotice(reply: ReplyFacts, strings: PanelStrings): unknown {
	const text =
		reply.status === 'stopped'
			? strings.stopped
			: reply.status === 'interrupted'
				? strings.interrupted
				: reply.finish?.notable
					? reply.finish.text
					: undefined;
	return text ? html`<p class="note"><span class="codicon codicon-info" aria-hidden="true"></span>${text}</p>` : nothing;
}

function renderProblem({ message, actions }: NonNullable<ReplyFacts['problem']>, context: FooterContext): unknown {
	const { turn, strings, continues, post } = context;
	return html`<div class="problem">
		<p dir="auto"><span class="codicon codicon-error" aria-hidden="true"></span>${message}</p>
		<div class="row">
			${continues ? renderContinue(context) : nothing}
			${actions.map(
				(action, index) =>
					html`<vscode-button ?secondary=${index > 0 || continues} @click=${() => post({ type: 'problemAction', turn: turn.id, action })}>${strings.actions[action]}</vscode-button>`,
			)}
		</div>
	</div>`;
}

function renderContinue({ turn, strings, busy, post }: FooterContext): unknown {
	return html`<vscode-button ?disabled=${busy} @click=${() => post({ type: 'continue', turn: turn.id })}>${strings.continue}</vscode-button>`;
}

function renderRetry({ turn, strings, busy, post }: FooterContext): unknown {
	return html`<vscode-button secondary ?disabled=${busy} @click=${() => post({ type: 'retry', turn: turn.id })}>${strings.retry}</vscode-button>`;
}
