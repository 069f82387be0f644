import { html, nothing } from 'lit';
import { indentJson } from '#base/text/json.ts';
import { fill } from '../../shared/fill.ts';
import type { ChatPart, Turn } from '../transcript/transcript.ts';
import type { PartContext } from './partView.ts';

type Step = Extract<ChatPart, { kind: 'step' }>;

/**
 * A tool call that an agent made on its service: a row that expands to thought, input and output. Collapsed content isn't rendered, because
 * it may be megabytes.
 */
export function renderAgentStep(part: Step, { reply }: Turn, { strings, requestUpdate }: PartContext): unknown {
	const running = part.output === '' && reply?.status === 'streaming';
	const onToggle = (event: Event) => {
		opened.set(part.id, (event.target as HTMLDetailsElement).open);
		requestUpdate();
	};
	const icon = running ? 'loading codicon-modifier-spin' : 'tools';
	return html`<details class="tool step" @toggle=${onToggle}>
		<summary><span class="codicon codicon-${icon}" aria-hidden="true"></span>${fill(strings.toolCall, part.tool)}${running ? html` <span class="toolFacts">${strings.toolStatuses.running}</span>` : nothing}</summary>
		${opened.get(part.id) ? renderStepContent(part, strings) : nothing}
	</details>`;
}

function renderStepContent({ text, input, output }: Step, strings: PartContext['strings']): unknown {
	return [
		text ? html`<div class="plain" dir="auto">${text}</div>` : nothing,
		input ? renderBlock(strings.toolInput, indentJson(input || '{}')) : nothing,
		output ? renderBlock(strings.toolOutput, indentJson(output || '{}')) : nothing,
	];
}

function renderBlock(label: string, text: string): unknown {
	return html`<p class="toolLabel">${label}</p><pre tabindex="0" dir="auto" aria-label=${label}>${text}</pre>`;
}

/** Expanded steps by ID, because each update of a step is a new object. */
const opened = new Map<string, boolean>();
