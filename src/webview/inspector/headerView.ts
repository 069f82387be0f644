import { html, nothing } from 'lit';
import type { FromInspector, InspectorHead } from '../../workflows/inspector/inspectorProtocol.ts';
import type { InspectorStrings } from '../../workflows/inspector/inspectorStrings.ts';
import { fill } from '../shared/fill.ts';
import { durationText } from './durations.ts';
import { statusIcon } from './statusIcon.ts';

type Command = Extract<FromInspector, { type: 'command' }>['command'];

/** The button that shows the nodes as a graph. */
export interface GraphToggle {
	readonly pressed: boolean;
	/** Why it cannot be shown. */
	readonly why: string | undefined;
	toggle(): void;
}

/** What run this is, how it stands, and what can be done with it. */
export function headerView(
	head: InspectorHead,
	strings: InspectorStrings,
	graph: GraphToggle,
	post: (message: FromInspector) => void,
): unknown {
	const { agent, runId, status, live, draft, file, connection, mode, user, startedAt, error } = head;
	const elapsed = live ? Date.now() - startedAt : head.elapsedMs;
	const button = (command: Command, icon: string, label: string, word = false) => html`<button
		type="button"
		class="${word ? 'wordButton' : 'iconButton'}"
		title=${label}
		aria-label=${label}
		?disabled=${command === 'stop' && status === 'stopping'}
		@click=${() => post({ type: 'command', command })}
	><span class="codicon codicon-${icon}" aria-hidden="true"></span>${word ? label : nothing}</button>`;
	const facts = [
		fill(strings.started, new Date(startedAt).toLocaleString()),
		connection,
		mode,
		user,
		...(file ? [file] : []),
		...(head.tokens === undefined ? [] : [fill(strings.tokens, head.tokens.toLocaleString())]),
		...(head.steps === undefined ? [] : [fill(strings.steps, head.steps.toLocaleString())]),
	];
	return html`<header class="top">
		<div class="who">
			<h1>${agent}${draft ? html` <span class="dim">(${strings.draft})</span>` : nothing}</h1>
			${runId ? html`<code class="runId" title=${fill(strings.run, runId)}>${runId}</code>` : nothing}
		</div>
		<div class="state">
			<span class=${statusIcon(status)} aria-hidden="true"></span>
			<strong class="status">${strings.statuses[status] ?? status}</strong>
			${elapsed === undefined ? nothing : html`<span class="elapsed">${durationText(elapsed, strings)}</span>`}
		</div>
		<div class="actions" role="toolbar" aria-label=${strings.actions}>
			${live ? button('stop', 'debug-stop', strings.stop, true) : nothing}
			${button('runAgain', 'debug-restart', strings.runAgain, true)}
			<button
				type="button"
				class="iconButton"
				title=${graph.why === undefined ? strings.showGraph : `${strings.showGraph}. ${graph.why}`}
				aria-label=${strings.showGraph}
				aria-pressed=${graph.pressed ? 'true' : 'false'}
				aria-disabled=${graph.why === undefined ? nothing : 'true'}
				@click=${() => graph.toggle()}
			><span class="codicon codicon-type-hierarchy-sub" aria-hidden="true"></span></button>
			${live ? nothing : button('compare', 'diff', strings.compare)}
			${live ? nothing : button('saveOutputs', 'save', strings.saveOutputs)}
			${button('copyAsCurl', 'terminal', strings.copyAsCurl)}
			${button('open', 'json', strings.openRecord)}
			${button('ask', 'comment-discussion', strings.ask)}
		</div>
		<p class="facts">${facts.join(' · ')}</p>
		${error ? html`<p class="problem"><span class="codicon codicon-error" aria-hidden="true"></span>${error}</p>` : nothing}
	</header>`;
}
