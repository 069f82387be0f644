import { html, nothing } from 'lit';
import type { FromPanel } from '../../chat/panelProtocol.ts';
import type { PanelStrings } from '../../chat/panelStrings.ts';
import type { Reply, Turn } from '../../chat/transcript.ts';
import { fill } from '../shared/fill.ts';

/** What stands below a reply: how it ended, what it cost, and what mends a failure. */
export function replyFooter(turn: Turn, strings: PanelStrings, post: (message: FromPanel) => void): unknown {
	const { reply } = turn;
	if (!reply || reply.status === 'streaming') {
		return nothing;
	}
	const facts = factsOf(reply, strings);
	return html`
		${notice(reply, strings)}
		${reply.problem ? problem(turn.id, reply.problem, strings, post) : nothing}
		${facts.length > 0 ? html`<footer class="facts" title=${reply.finish?.text ?? ''}>${facts.join(' · ')}</footer>` : nothing}`;
}

function notice(reply: Reply, strings: PanelStrings): unknown {
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

function problem(
	turn: string,
	{ message, actions }: NonNullable<Reply['problem']>,
	strings: PanelStrings,
	post: (message: FromPanel) => void,
): unknown {
	return html`<div class="problem">
		<p dir="auto"><span class="codicon codicon-error" aria-hidden="true"></span>${message}</p>
		<div class="row">
			${actions.map(
				(action, index) =>
					html`<vscode-button ?secondary=${index > 0} @click=${() => post({ type: 'problemAction', turn, action })}>${strings.actions[action]}</vscode-button>`,
			)}
		</div>
	</div>`;
}

function factsOf({ durationMs, firstTokenMs, usage, finish }: Reply, strings: PanelStrings): string[] {
	const count = (tokens: number | undefined, text: string) => (tokens === undefined ? [] : [fill(text, tokens.toLocaleString())]);
	const tokens = [
		...count(usage?.input, strings.tokensIn),
		...count(usage?.output, strings.tokensOut),
		...count(usage?.thinking, strings.tokensThinking),
		...count(usage?.cached, strings.tokensCached),
	].join(' / ');
	return [
		...(durationMs === undefined ? [] : [duration(durationMs, strings)]),
		...(firstTokenMs === undefined ? [] : [fill(strings.firstToken, duration(firstTokenMs, strings))]),
		...(tokens ? [tokens] : []),
		...(finish ? [finish.reason] : []),
	];
}

function duration(ms: number, strings: PanelStrings): string {
	return ms < 100 ? fill(strings.milliseconds, ms) : fill(strings.seconds, (ms / 1000).toFixed(1));
}
