import { html, nothing } from 'lit';
import { formatDuration } from '#base/text/duration.ts';
import { fill } from '../../shared/fill.ts';
import { formatNumber } from '../../shared/format.ts';
import { moneyText } from '../../shared/moneyText.ts';
import { feedbackComment } from '../apps/replyActions.ts';
import type { FromPanel } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { ReplyFacts, Turn } from '../transcript/transcript.ts';

/** The reply that the footer belongs to, and what it asks for. */
interface FooterContext {
	readonly turn: Turn;
	readonly strings: PanelStrings;
	/** A reply is coming into this chat: nothing else can be sent. */
	readonly busy: boolean;
	/** The reply was cut and can go on. */
	readonly continues: boolean;
	post(message: FromPanel): void;
}

/** What stands below a reply: how it ended, what it cost, and what mends a failure. */
export function replyFooter(context: FooterContext): unknown {
	const { turn, strings } = context;
	const { reply } = turn;
	if (!reply || reply.status === 'streaming') {
		return nothing;
	}
	const facts = factsOf(reply, strings);
	return html`
		${(reply.notes ?? []).map(note => html`<p class="note"><span class="codicon codicon-info" aria-hidden="true"></span>${note}</p>`)}
		${notice(reply, strings)}
		${reply.problem ? problem(reply.problem, context) : nothing}
		${context.continues && !reply.problem ? html`<div class="row">${goOn(context)}${retry(context)}</div>` : nothing}
		${
			facts.length > 0 || reply.runId
				? html`<footer class="facts" title=${reply.finish?.reason ?? ''}>${facts.join(' · ')}${reply.runId ? html` <button type="button" class="linkButton" @click=${() => context.post({ type: 'inspectRun', turn: turn.id })}>${strings.inspectRun}</button>` : nothing}</footer>`
				: nothing
		}
		${feedbackComment(turn, reply, strings, message => context.post(message))}`;
}

function notice(reply: ReplyFacts, strings: PanelStrings): unknown {
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

function problem({ message, actions }: NonNullable<ReplyFacts['problem']>, context: FooterContext): unknown {
	const { turn, strings, continues, post } = context;
	return html`<div class="problem">
		<p dir="auto"><span class="codicon codicon-error" aria-hidden="true"></span>${message}</p>
		<div class="row">
			${continues ? goOn(context) : nothing}
			${actions.map(
				(action, index) =>
					html`<vscode-button ?secondary=${index > 0 || continues} @click=${() => post({ type: 'problemAction', turn: turn.id, action })}>${strings.actions[action]}</vscode-button>`,
			)}
		</div>
	</div>`;
}

function goOn({ turn, strings, busy, post }: FooterContext): unknown {
	return html`<vscode-button ?disabled=${busy} @click=${() => post({ type: 'continue', turn: turn.id })}>${strings.continue}</vscode-button>`;
}

function retry({ turn, strings, busy, post }: FooterContext): unknown {
	return html`<vscode-button secondary ?disabled=${busy} @click=${() => post({ type: 'retry', turn: turn.id })}>${strings.retry}</vscode-button>`;
}

function factsOf({ durationMs, firstTokenMs, usage, cost, finish }: ReplyFacts, strings: PanelStrings): string[] {
	const count = (tokens: number | undefined, text: string) => (tokens === undefined ? [] : [fill(text, formatNumber(tokens))]);
	const tokens = [
		...count(usage?.input, strings.tokensIn),
		...count(usage?.output, strings.tokensOut),
		...count(usage?.thinking, strings.tokensThinking),
		...count(usage?.cached, strings.tokensCached),
	].join(' / ');
	return [
		...(durationMs === undefined ? [] : [formatDuration(durationMs, 'brief', strings)]),
		...(firstTokenMs === undefined ? [] : [fill(strings.firstToken, formatDuration(firstTokenMs, 'brief', strings))]),
		...(tokens ? [tokens] : []),
		...(cost ? [moneyText(cost.amount, cost.currency)] : []),
		// what is notable stands above in a sentence of its own
		...(finish && !finish.notable ? [finish.text] : []),
	];
}
