import { html, nothing } from 'lit';
import { formatDuration } from '#base/text/duration.ts';
import { indentJson } from '#base/text/json.ts';
import { fill } from '../../shared/fill.ts';
import type { ToolDecision } from '../transcript/toolDecisions.ts';
import type { ChatPart, ToolRun, Turn } from '../transcript/transcript.ts';
import type { PartContext } from './partView.ts';

type Call = Extract<ChatPart, { kind: 'toolCall' }>;

const icons: Readonly<Record<ToolRun['status'], string>> = {
	asked: 'question',
	running: 'loading codicon-modifier-spin',
	done: 'check',
	failed: 'error',
	denied: 'circle-slash',
	stopped: 'debug-stop',
};

/** Renders a tool call by this editor: a confirmation while it waits for the user, then a row that expands to input and output. */
export function renderToolRow(call: Call, run: ToolRun, turn: Turn, context: PartContext): unknown {
	const { strings } = context;
	const { title, where, status, ms } = run;
	const index = turn.parts.indexOf(call);
	const name = where ? fill(strings.toolRow, title, where) : title;
	if (status === 'asked') {
		return renderConfirmation(call, run, index, turn, context);
	}
	const facts = [strings.toolStatuses[status], ...(ms === undefined ? [] : [formatDuration(ms, 'brief', strings)])].join(' · ');
	const result = findToolResult(turn.parts, index);
	return html`<details class="tool ran" data-status=${status}>
		<summary><span class="codicon codicon-${icons[status]}" aria-hidden="true"></span>${name} <span class="toolFacts">${facts}</span></summary>
		<p class="toolLabel">${strings.toolInput}</p>
		<pre tabindex="0" dir="ltr" aria-label=${strings.toolInput}>${indentJson(call.input || '{}')}</pre>
		${result ? html`<p class="toolLabel">${strings.toolOutput}</p><pre tabindex="0" dir="auto" aria-label=${strings.toolOutput}>${result.output}</pre>` : nothing}
	</details>`;
}

function renderConfirmation(call: Call, { title, where }: ToolRun, index: number, turn: Turn, { strings, post }: PartContext): unknown {
	const question = fill(strings.toolAsked, title, where);
	const renderButton = (decision: ToolDecision, secondary: boolean) =>
		html`<vscode-button ?secondary=${secondary} @click=${() => post({ type: 'toolDecision', turn: turn.id, index, decision })}>${strings.toolDecisions[decision]}</vscode-button>`;
	return html`<div class="toolAsked" role="group" aria-label=${question}>
		<p role="status" dir="auto"><span class="codicon codicon-tools" aria-hidden="true"></span>${question}</p>
		<pre tabindex="0" dir="ltr" aria-label=${strings.toolInput}>${indentJson(call.input || '{}')}</pre>
		<div class="row">${renderButton('once', false)}${renderButton('always', true)}${renderButton('deny', true)}</div>
	</div>`;
}

/** Finds the result of the call at an index. Results follow a group of calls, in the same order. */
function findToolResult(parts: readonly ChatPart[], index: number): Extract<ChatPart, { kind: 'toolResult' }> | undefined {
	const begin = parts.slice(0, index).findLastIndex(part => part.kind === 'toolResult') + 1;
	const place = parts.slice(begin, index).filter(part => part.kind === 'toolCall').length;
	const first = parts.findIndex((part, at) => at > index && part.kind === 'toolResult');
	const result = first < 0 ? undefined : parts[first + place];
	return result?.kind === 'toolResult' ? result : undefined;
}
