import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import { shortenId } from '#base/text/shortId.ts';
import { fill, fillCount } from '../shared/fill.ts';
import { formatMoment } from '../shared/format.ts';
import { renderMenuButton } from '../shared/menu.ts';
import { getStatusIconClasses } from '../shared/statusIcon.ts';
import { divideActions } from './headerActions.ts';
import type { FromInspector, InspectorAction, InspectorHead } from './inspectorMessages.ts';
import type { InspectorStrings } from './inspectorStrings.ts';
import { formatCosts, renderRunTree } from './runTreeView.ts';

/** State of the button that switches between timeline and graph. */
export interface GraphToggle {
	readonly pressed: boolean;
	/** Why the graph can't be shown; undefined if it can. */
	readonly why: string | undefined;
	toggle(): void;
}

const icons: Readonly<Record<InspectorAction, string>> = {
	stop: 'debug-stop',
	runAgain: 'debug-restart',
	ask: 'comment-discussion',
	compare: 'diff',
	compareWithParent: 'git-compare',
	debugRecorded: 'debug-alt',
	addToSuite: 'beaker',
	addToDataset: 'table',
	saveAsRunFile: 'new-file',
	saveOutputs: 'save',
	copyAsCurl: 'terminal',
	open: 'json',
	openOutputs: 'go-to-file',
};

/** Renders the run's agent, status, actions and facts. */
export function renderInspectorHeader(
	head: InspectorHead,
	strings: InspectorStrings,
	graph: GraphToggle,
	post: (message: FromInspector) => void,
): unknown {
	const { agent, runId, status, live, draft, file, connection, mode, user, startedAt, error } = head;
	const elapsed = live ? Date.now() - startedAt - head.waitedMs : head.elapsedMs;
	const { main, more } = divideActions(head);
	const getLabel = (action: InspectorAction) =>
		action === 'runAgain' && head.elsewhere ? strings.runAgainHere : strings.actionLabels[action];
	const renderAction = (command: InspectorAction) => html`<button
		type="button"
		class="wordButton"
		?disabled=${command === 'stop' && status === 'stopping'}
		@click=${() => post({ type: 'command', command })}
	><span class="codicon codicon-${icons[command]}" aria-hidden="true"></span>${getLabel(command)}</button>`;
	const items = [
		...more.map(command => ({ icon: icons[command], label: getLabel(command), act: () => post({ type: 'command', command }) })),
		...(runId ? [{ icon: 'copy', label: strings.copyRunId, act: () => post({ type: 'copy', text: runId }) }] : []),
		...(head.kept ? [] : [{ icon: 'pin', label: strings.keepOpen, act: () => post({ type: 'keepOpen' }) }]),
	];
	const facts = [
		fill(strings.started, formatMoment(startedAt)),
		connection,
		// runs stream unless they are asked not to
		mode === 'blocking' ? strings.blocking : '',
		user,
		file,
		...(head.tokens === undefined ? [] : [fillCount(strings.tokens, head.tokens)]),
		...(head.steps === undefined ? [] : [fillCount(strings.steps, head.steps)]),
		...formatCosts(head.costs, strings),
	];
	return html`<header class="top">
		<div class="who">
			<h1>${agent}${draft ? html` <span class="dim">(${strings.draft})</span>` : nothing}</h1>
			${runId ? html`<code class="runId" title=${fill(strings.run, runId)}>${shortenId(runId)}</code>` : nothing}
		</div>
		<div class="state">
			<span class=${getStatusIconClasses(status)} aria-hidden="true"></span>
			<strong class="status">${getOwnField(strings.statuses, status) ?? status}</strong>
			${elapsed === undefined ? nothing : html`<span class="elapsed">${formatDuration(elapsed, 'exact', strings)}</span>`}
		</div>
		${renderChainButtons(head, strings, post)}
		<div class="actions" role="toolbar" aria-label=${strings.actions}>
			${main.map(renderAction)}
			<button
				type="button"
				class="wordButton"
				title=${graph.why ?? strings.showGraph}
				aria-pressed=${graph.pressed ? 'true' : 'false'}
				aria-disabled=${graph.why === undefined ? nothing : 'true'}
				@click=${() => graph.toggle()}
			><span class="codicon codicon-type-hierarchy-sub" aria-hidden="true"></span>${strings.graph}</button>
			${renderMenuButton({ id: 'more', icon: 'ellipsis', label: strings.more, items })}
		</div>
		<p class="facts">${facts.filter(fact => fact !== undefined && fact !== '').join(' · ')}</p>
		${error ? html`<p class="problem"><span class="codicon codicon-${status === 'stopped' ? 'circle-slash' : 'error'}" aria-hidden="true"></span>${error}</p>` : nothing}
		${renderRunTree(head, strings, key => post({ type: 'showRun', key }))}
	</header>`;
}

/** Renders buttons for the previous and next run with the same inputs. */
function renderChainButtons({ chain }: InspectorHead, strings: InspectorStrings, post: (message: FromInspector) => void): unknown {
	if (!chain) {
		return nothing;
	}
	const { place, count } = chain;
	const renderStepButton = (offset: -1 | 1, icon: string, label: string, isEnd: boolean) => html`<button
		type="button"
		class="iconButton"
		title=${label}
		aria-label=${label}
		?disabled=${isEnd}
		@click=${() => post({ type: 'step', offset })}
	><span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`;
	return html`<div class="chain" role="group" aria-label=${fill(strings.ofRuns, place, count)}>
		${renderStepButton(-1, 'chevron-left', strings.runBefore, place === 1)}
		<span title=${fill(strings.ofRuns, place, count)}>${place}/${count}</span>
		${renderStepButton(1, 'chevron-right', strings.runAfter, place === count)}
	</div>`;
}
