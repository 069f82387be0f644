import { html, nothing } from 'lit';
import { ownField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import { priceText } from '#runs/events/priceText.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';
import { fill } from '../../shared/fill.ts';
import { formatNumber } from '../../shared/format.ts';
import { getStatusIconClasses } from '../../shared/statusIcon.ts';
import type { DetailTab, FromInspector, NodeDetail } from '../inspectorMessages.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import { tabsView } from '../tabs.ts';
import type { ShownConversation } from './conversationDetail.ts';
import { writtenView } from './writtenView.ts';

const detailParts: readonly DetailTab[] = [
	'conversation',
	'written',
	'inputs',
	'processData',
	'outputs',
	'thinking',
	'error',
	'metadata',
	'raw',
];

/** Parts that most nodes lack: no tab where they are empty, so that the others stand in one line. */
const rareParts: readonly DetailTab[] = ['conversation', 'written', 'processData', 'thinking', 'error'];

export interface DetailModel {
	readonly strings: InspectorStrings;
	readonly row: TimelineRow | undefined;
	/** `undefined` while it is read. */
	readonly detail: NodeDetail | undefined;
	readonly part: DetailTab;
	/** What the time is for a run that goes on, Unix milliseconds, less what it has waited; `undefined` for one that does not. */
	readonly now: number | undefined;
	/** What is said where no row is selected. */
	readonly empty: string;
	readonly code: (id: string, text: string, language: string) => HTMLElement;
	/** Shows the node in its agent file; `undefined` where there is none. */
	readonly goToSource: (() => void) | undefined;
	select(part: DetailTab): void;
	/** Does something with the node. */
	onNode(action: NodeAction): void;
}

/** What can be done with a node. */
type NodeAction = Extract<FromInspector, { type: 'node' }>['action'];

const nodeIcons: Readonly<Record<NodeAction, string>> = { run: 'play', runFrom: 'debug-rerun', pin: 'pin', unpin: 'pinned' };

function nodeActions({ standIn }: TimelineRow): readonly NodeAction[] {
	return ['run', 'runFrom', standIn === 'mocked' ? 'unpin' : 'pin'];
}

/** What went into the selected node, what it did, and what came out. */
export function detailView({ strings, row, detail, part, now, empty, code, goToSource, select, onNode }: DetailModel): unknown {
	if (!row) {
		return html`<section class="detail" aria-label=${strings.detail}><p class="dim empty">${empty}</p></section>`;
	}
	const { title, kind, status, start, end, tokens, price, currency, retries, error } = row;
	const tabs = detailParts
		.filter(id => !rareParts.includes(id) || part === id || detail?.[id] !== undefined)
		.map(id => ({ id, label: strings.parts[id], empty: detail !== undefined && detail[id] === undefined }));
	const until = end ?? now;
	const facts = [
		...(row.standIn ? [strings[row.standIn]] : []),
		...(row.changedByHand ? [strings.changedByHand] : []),
		...(status === 'told' ? [] : [ownField(strings.statuses, status) ?? status]),
		...(until === undefined || status === 'told' ? [] : [formatDuration(until - start, 'exact', strings)]),
		...(tokens === undefined ? [] : [fill(strings.tokens, formatNumber(tokens))]),
		...(price === undefined ? [] : [priceText(price, currency)]),
		...(retries === undefined ? [] : [fill(strings.retries, retries)]),
	];
	const text = part === 'conversation' || part === 'written' ? undefined : detail?.[part];
	const written = part === 'written' ? detail?.written : undefined;
	const conversation = part === 'conversation' ? detail?.conversation : undefined;
	return html`<section class="detail" aria-label=${strings.detail}>
		<div class="sectionHead">
			<span class=${getStatusIconClasses(status)} aria-hidden="true"></span>
			<h2 title=${title}>${title}</h2>
			<span class="dim">${ownField(strings.kinds, kind) ?? kind}</span>
			<span class="grow"></span>
			${row.nodeId === undefined ? nothing : nodeActions(row).map(action => html`<button type="button" class="iconButton" title=${strings.nodeActions[action]} aria-label=${strings.nodeActions[action]} @click=${() => onNode(action)}><span class="codicon codicon-${nodeIcons[action]}" aria-hidden="true"></span></button>`)}
			${goToSource ? html`<button type="button" class="iconButton" title=${strings.goToSource} aria-label=${strings.goToSource} @click=${goToSource}><span class="codicon codicon-go-to-file" aria-hidden="true"></span></button>` : nothing}
		</div>
		<p class="facts">${facts.join(' · ')}</p>
		${error && part !== 'error' ? html`<p class="problem"><span class="codicon codicon-error" aria-hidden="true"></span>${error}</p>` : nothing}
		${detail?.warnings?.map(text => html`<p class="problem"><span class="codicon codicon-warning" aria-hidden="true"></span>${text}</p>`) ?? nothing}
		${tabsView({ label: strings.detail, prefix: 'detail', tabs, selected: part, select })}
		<div class="panel" role="tabpanel" id="detail-panel" aria-labelledby="detail-${part}" tabindex="0">
			${detail === undefined ? html`<p class="dim">${strings.loading}</p>` : conversation ? conversationView(conversation, strings) : written ? writtenView(written, strings, code) : text === undefined ? html`<p class="dim">${strings.nothingHere}</p>` : code('detail', text, isJson(text) ? 'json' : '')}
		</div>
	</section>`;
}

/** An error is a sentence more often than a value. */
function isJson(text: string): boolean {
	return /^[{[]/.test(text);
}

/** What a model was told and what it answered, a bubble a message. */
function conversationView({ messages, model, finish, tokensIn, tokensOut }: ShownConversation, strings: InspectorStrings): unknown {
	const facts = [
		...(model ? [model] : []),
		...(tokensIn === undefined ? [] : [fill(strings.tokensIn, formatNumber(tokensIn))]),
		...(tokensOut === undefined ? [] : [fill(strings.tokensOut, formatNumber(tokensOut))]),
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
