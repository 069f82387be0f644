import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import { formatPrice } from '#runs/events/priceText.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';
import { fill, fillCount } from '../../shared/fill.ts';
import { renderMenuButton } from '../../shared/menu.ts';
import { getStatusIconClasses } from '../../shared/statusIcon.ts';
import { renderTabs } from '../../shared/tabs.ts';
import type { DetailTab, FromInspector, NodeDetail } from '../inspectorMessages.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import type { ShownConversation } from './conversationDetail.ts';
import { renderWrittenParts } from './writtenView.ts';

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

/** Parts in a menu instead of tabs, so that the tabs fit on one line. */
const menuParts: readonly DetailTab[] = ['processData', 'metadata', 'raw'];

/** Parts that most nodes lack. They get no tab if they are empty, so that the other tabs fit on one line. */
const rareParts: readonly DetailTab[] = ['conversation', 'written', 'processData', 'thinking', 'error'];

export interface DetailModel {
	readonly strings: InspectorStrings;
	readonly row: TimelineRow | undefined;
	/** Undefined while the detail is loading. */
	readonly detail: NodeDetail | undefined;
	readonly part: DetailTab;
	/** Current time of a running run in Unix milliseconds, minus its waiting time; undefined for a finished run. */
	readonly now: number | undefined;
	/** Message shown if no row is selected. */
	readonly empty: string;
	/** Says which past moment is shown; undefined for the present. */
	readonly asOf: string | undefined;
	readonly code: (id: string, text: string, language: string) => HTMLElement;
	/** Shows the node in its agent file; undefined if there is no such file. */
	readonly goToSource: (() => void) | undefined;
	select(part: DetailTab): void;
	onNode(action: NodeAction): void;
}

type NodeAction = Extract<FromInspector, { type: 'node' }>['action'];

const nodeIcons = { run: 'play', pin: 'pin', unpin: 'pinned' } as const satisfies Partial<Record<NodeAction, string>>;

/** Returns the actions in a node's menu. */
function getNodeActions({ standIn }: TimelineRow): readonly (keyof typeof nodeIcons)[] {
	return ['run', standIn === 'mocked' ? 'unpin' : 'pin'];
}

/** Renders the header, tabs and content for the selected node. */
export function renderDetail({ strings, row, detail, part, now, empty, asOf, code, goToSource, select, onNode }: DetailModel): unknown {
	if (!row) {
		return html`<section class="detail" aria-label=${strings.detail}><p class="dim empty">${empty}</p></section>`;
	}
	const { title, kind, status, start, end, tokens, price, saved, currency, retries, error } = row;
	const available = detailParts.filter(id => !rareParts.includes(id) || part === id || detail?.[id] !== undefined);
	const others = available.filter(id => menuParts.includes(id) && id !== part);
	const tabs = available
		.filter(id => !others.includes(id))
		.map(id => ({ id, label: strings.parts[id], empty: detail !== undefined && detail[id] === undefined }));
	const until = end ?? now;
	const facts = [
		...(asOf === undefined ? [] : [asOf]),
		...(row.standIn ? [strings[row.standIn]] : []),
		...(row.changedByHand ? [strings.changedByHand] : []),
		...(status === 'info' ? [] : [getOwnField(strings.statuses, status) ?? status]),
		...(until === undefined || status === 'info' ? [] : [formatDuration(until - start, 'exact', strings)]),
		...(tokens === undefined ? [] : [fillCount(strings.tokens, tokens)]),
		...(price === undefined ? [] : [formatPrice(price, currency)]),
		...(saved === undefined ? [] : [fill(strings.saved, formatPrice(saved, currency))]),
		...(retries === undefined ? [] : [fill(strings.retries, retries)]),
	];
	const text = part === 'conversation' || part === 'written' ? undefined : detail?.[part];
	const written = part === 'written' ? detail?.written : undefined;
	const conversation = part === 'conversation' ? detail?.conversation : undefined;
	return html`<section class="detail" aria-label=${strings.detail} @keydown=${({ key }: KeyboardEvent) => key === 'F12' && goToSource?.()}>
		<div class="sectionHead">
			<span class=${getStatusIconClasses(status)} aria-hidden="true"></span>
			<h2 title=${title}>${title}</h2>
			<span class="dim">${getOwnField(strings.kinds, kind) ?? kind}</span>
			<span class="grow"></span>
			${row.nodeId === undefined ? nothing : html`<button type="button" class="wordButton" title=${strings.nodeActions.forkFrom} @click=${() => onNode('forkFrom')}><span class="codicon codicon-repo-forked" aria-hidden="true"></span>${strings.nodeActions.forkFrom}</button>`}
			${goToSource ? html`<button type="button" class="iconButton" title=${strings.goToSource} aria-label=${strings.goToSource} @click=${goToSource}><span class="codicon codicon-go-to-file" aria-hidden="true"></span></button>` : nothing}
			${row.nodeId === undefined ? nothing : renderMenuButton({ id: 'nodeMore', icon: 'ellipsis', label: strings.moreNode, items: getNodeActions(row).map(action => ({ icon: nodeIcons[action], label: strings.nodeActions[action], act: () => onNode(action) })) })}
		</div>
		<p class="facts">${facts.join(' · ')}</p>
		${error && part !== 'error' ? html`<p class="problem"><span class="codicon codicon-error" aria-hidden="true"></span>${error}</p>` : nothing}
		${detail?.warnings?.map(text => html`<p class="problem"><span class="codicon codicon-warning" aria-hidden="true"></span>${text}</p>`) ?? nothing}
		<div class="tabRow">
			${renderTabs({ label: strings.detail, prefix: 'detail', tabs, selected: part, select })}
			${renderMenuButton({ id: 'detailMore', icon: 'ellipsis', label: strings.moreDetails, items: others.map(id => ({ icon: 'list-flat', label: strings.parts[id], act: () => select(id) })) })}
		</div>
		<div class="panel" role="tabpanel" id="detail-panel" aria-labelledby="detail-${part}" tabindex="0">
			${detail === undefined ? html`<p class="dim">${strings.loading}</p>` : conversation ? renderConversation(conversation, strings, row.nodeId === undefined ? undefined : () => onNode('prompt')) : written ? renderWrittenParts(written, strings, code) : text === undefined ? html`<p class="dim">${strings.nothingHere}</p>` : code('detail', text, looksLikeJson(text) ? 'json' : '')}
		</div>
	</section>`;
}

/** True if the text looks like a JSON object or list. Most errors are plain sentences. */
function looksLikeJson(text: string): boolean {
	return /^[{[]/.test(text);
}

/** `tryPrompt` opens the messages in the playground. */
function renderConversation(
	{ messages, model, finish, tokensIn, tokensOut }: ShownConversation,
	strings: InspectorStrings,
	tryPrompt: (() => void) | undefined,
): unknown {
	const facts = [
		...(model ? [model] : []),
		...(tokensIn === undefined ? [] : [fillCount(strings.tokensIn, tokensIn)]),
		...(tokensOut === undefined ? [] : [fillCount(strings.tokensOut, tokensOut)]),
		...(finish ? [finish] : []),
	];
	return html`${tryPrompt ? html`<div class="row"><button type="button" class="wordButton" @click=${tryPrompt}><span class="codicon codicon-beaker" aria-hidden="true"></span>${strings.nodeActions.prompt}</button></div>` : nothing}
		<ol class="messages">
			${messages.map(
				({ role, text }) => html`<li class="message ${role}">
					<span class="role dim">${strings.roles[role] ?? role}</span>
					<div class="said" dir="auto">${text}</div>
				</li>`,
			)}
		</ol>
		${facts.length > 0 ? html`<p class="facts">${facts.join(' · ')}</p>` : nothing}`;
}
