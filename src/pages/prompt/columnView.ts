import { html, nothing } from 'lit';
import { formatFacts } from '../chat/turns/replyFacts.ts';
import '../chat/turns/retryCountdown.ts';
import { fill } from '../shared/fill.ts';
import type { ColumnAction, PromptAnswer, PromptColumn, PromptSource } from './promptMessages.ts';
import type { PromptStrings } from './promptStrings.ts';

interface ColumnView {
	readonly column: PromptColumn;
	readonly source: PromptSource;
	readonly strings: PromptStrings;
	/** True if another column has an answer to compare with. */
	readonly hasOther: boolean;
	act(action: ColumnAction): void;
}

export function isRunning({ answer }: PromptColumn): boolean {
	return answer?.reply.status === 'streaming';
}

/** Renders a model with its answer. */
export function renderColumn(view: ColumnView): unknown {
	const { column, strings, act } = view;
	const { model, connection, answer } = column;
	const remove = fill(strings.remove, model);
	return html`<article class="column" aria-label=${model}>
		<header>
			<button type="button" class="modelButton" title=${`${strings.pick}: ${model} · ${connection}`} @click=${() => act('pick')}><span class="modelName">${model}</span><span class="dim connectionName">${connection}</span><span class="codicon codicon-chevron-down" aria-hidden="true"></span></button>
			${renderIconButton(isRunning(column) ? 'debug-stop' : 'play', isRunning(column) ? strings.stop : strings.run, () => act(isRunning(column) ? 'stop' : 'run'))}
			${renderIconButton('close', remove, () => act('remove'))}
		</header>
		<div class="answer" tabindex="0" role="region" aria-label=${fill(strings.answerOf, model)} aria-busy=${isRunning(column)}>${answer ? renderAnswer(answer, view) : html`<p class="dim">${strings.notRun}</p>`}</div>
		${answer && !isRunning(column) ? renderFooter(answer, view) : nothing}
	</article>`;
}

function renderAnswer({ text, thinking, reply }: PromptAnswer, { strings, act }: ColumnView): unknown {
	const { answers } = strings;
	const streaming = reply.status === 'streaming';
	const note =
		reply.status === 'stopped'
			? answers.stopped
			: reply.status === 'interrupted'
				? answers.interrupted
				: reply.finish?.notable
					? reply.finish.text
					: undefined;
	return html`
		${thinking ? html`<details><summary>${answers.thinking}</summary><p class="thinking" dir="auto">${thinking}</p></details>` : nothing}
		${text ? html`<markdown-text .text=${text} .complete=${!streaming}></markdown-text>` : streaming && !reply.retry ? html`<p class="dim">${answers.waiting}</p>` : nothing}
		${reply.retry ? html`<div class="row"><span role="timer"><retry-countdown .wait=${reply.retry} .strings=${answers}></retry-countdown></span><button type="button" class="wordButton" @click=${() => act('retryNow')}>${answers.retryNow}</button></div>` : nothing}
		${(reply.notes ?? []).map(each => html`<p class="note">${each}</p>`)}
		${note ? html`<p class="note"><span class="codicon codicon-info" aria-hidden="true"></span>${note}</p>` : nothing}
		${reply.problem ? renderProblem(reply.problem, strings, act) : nothing}`;
}

function renderProblem(
	{ message, actions }: NonNullable<PromptAnswer['reply']['problem']>,
	strings: PromptStrings,
	act: (action: ColumnAction) => void,
): unknown {
	const { answers } = strings;
	const renderButton = (label: string, action: ColumnAction) =>
		html`<button type="button" class="wordButton" @click=${() => act(action)}>${label}</button>`;
	const key = actions.find(each => each === 'setKey' || each === 'replaceKey');
	return html`<div class="problem">
		<p dir="auto"><span class="codicon codicon-error" aria-hidden="true"></span>${message}</p>
		<div class="row">
			${renderButton(strings.tryAgain, 'run')}
			${key ? renderButton(answers.actions[key], 'setKey') : nothing}
			${actions.includes('pickModel') || actions.includes('pickConnection') ? renderButton(strings.pick, 'pick') : nothing}
			${actions.includes('showLog') ? renderButton(answers.actions.showLog, 'showLog') : nothing}
		</div>
	</div>`;
}

function renderFooter({ text, reply }: PromptAnswer, { column, source, strings, hasOther, act }: ColumnView): unknown {
	const facts = formatFacts(reply, strings.answers);
	const canApply = source.file !== undefined && column.endpoint !== 'agent';
	return html`<footer>
		${facts.length > 0 ? html`<span class="facts">${facts.join(' · ')}</span>` : nothing}
		<div class="row">
			${canApply && reply.status !== 'failed' ? html`<button type="button" class="wordButton" title=${fill(strings.applyHint, source.title)} @click=${() => act('apply')}>${strings.apply}</button>` : nothing}
			${text ? html`<button type="button" class="wordButton" title=${strings.addToSuiteHint} @click=${() => act('addToSuite')}>${strings.addToSuite}</button>` : nothing}
			<span class="grow"></span>
			${text && hasOther ? renderIconButton('diff', strings.compare, () => act('compare')) : nothing}
			${text ? renderIconButton('copy', strings.copyAnswer, () => act('copy')) : nothing}
		</div>
	</footer>`;
}

function renderIconButton(icon: string, label: string, act: () => void): unknown {
	return html`<button type="button" class="iconButton" title=${label} aria-label=${label} @click=${act}><span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`;
}
