import { html, nothing } from 'lit';
import { fillCount } from '../../shared/fill.ts';
import { renderFeedback } from '../apps/replyActions.ts';
import type { FromPanel } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import { limitReasons } from '../transcript/limitReasons.ts';
import type { Finish, ReplyFacts, Turn } from '../transcript/transcript.ts';
import { formatFacts } from './replyFacts.ts';
import { renderRetryWait } from './retryCountdown.ts';

interface FooterContext {
	readonly turn: Turn;
	readonly strings: PanelStrings;
	/** True while a reply is being received, so that nothing can be sent. */
	readonly busy: boolean;
	/** True if the reply was cut off and can be continued. */
	readonly continues: boolean;
	post(message: FromPanel): void;
	/** Shows the setting that limits the tokens of a reply. */
	raiseLimit(): void;
}

/** Renders the footer of a reply: how it ended, usage and cost, and actions after a failure. */
export function renderReplyFooter(context: FooterContext): unknown {
	const { turn, strings } = context;
	const { reply } = turn;
	if (!reply || reply.status === 'streaming') {
		return reply?.retry ? renderRetryWait(reply.retry, strings, message => context.post(message)) : nothing;
	}
	const facts = formatFacts(reply, strings);
	return html`
		${(reply.notes ?? []).map(note => html`<p class="note"><span class="codicon codicon-info" aria-hidden="true"></span>${note}</p>`)}
		${renderNotice(turn, reply, strings)}
		${reply.problem ? renderProblem(reply.problem, context) : nothing}
		${context.continues && !reply.problem ? html`<div class="row">${renderContinue(context)}${isCutByLimit(reply) ? renderRaiseLimit(context) : nothing}${renderRetry(context)}</div>` : nothing}
		${
			facts.length > 0 || reply.runId
				? html`<footer class="facts" title=${reply.finish?.reason ?? ''}>${facts.join(' · ')}${reply.runId ? html` <button type="button" class="linkButton" @click=${() => context.post({ type: 'inspectRun', turn: turn.id })}>${strings.inspectRun}</button>` : nothing}</footer>`
				: nothing
		}
		${renderFeedback(turn, reply, strings, message => context.post(message))}`;
}

function renderNotice({ parts }: Turn, reply: ReplyFacts, strings: PanelStrings): unknown {
	const text =
		reply.status === 'stopped'
			? parts.length > 0
				? strings.stopped
				: strings.stoppedEarly
			: reply.status === 'interrupted'
				? strings.interrupted
				: reply.finish?.notable
					? describeFinish(reply.finish, reply, strings)
					: undefined;
	return text ? html`<p class="note"><span class="codicon codicon-info" aria-hidden="true"></span>${text}</p>` : nothing;
}

/** Names the limit of a reply that was cut off, if it's known. It's the number of tokens in its last request. */
function describeFinish({ reason, text }: Finish, { usage, lastUsage }: ReplyFacts, strings: PanelStrings): string {
	const tokens = (lastUsage ?? usage)?.output;
	return limitReasons.has(reason) && tokens !== undefined ? fillCount(strings.cutOff, tokens) : text;
}

/** True if a limit in the chat's settings cut off the reply. */
function isCutByLimit({ endpoint, finish }: ReplyFacts): boolean {
	return endpoint !== 'agent' && limitReasons.has(finish?.reason ?? '');
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

function renderRaiseLimit(context: FooterContext): unknown {
	return html`<vscode-button secondary @click=${() => context.raiseLimit()}>${context.strings.raiseLimit}</vscode-button>`;
}

function renderRetry({ turn, strings, busy, post }: FooterContext): unknown {
	return html`<vscode-button secondary ?disabled=${busy} @click=${() => post({ type: 'retry', turn: turn.id })}>${strings.retry}</vscode-button>`;
}
