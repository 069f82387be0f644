import { html, nothing } from 'lit';
import { card } from '#agentFile/layout/geometry.ts';
import { getOwnField } from '#base/records/ownField.ts';
import { fill } from '../shared/fill.ts';
import { getStatusIconClasses } from '../shared/statusIcon.ts';
import { getRowText } from './cards/rowText.ts';
import type { GraphLabels } from './graphLabels.ts';
import { isInnerStart } from './layout/cardSize.ts';
import type { StopMark } from './pageStops.ts';
import type { CardRow, DrawnNode } from './picture/graphTypes.ts';

interface CardLook {
	/** Index used in the ID of the element. */
	readonly place: number;
	readonly selected: boolean;
	/** Status in the run that is shown; `undefined` without a run. */
	readonly status: string | undefined;
	/** Duration and number of executions. */
	readonly facts: readonly string[];
	/** One-line preview of the outputs; empty if there are none. */
	readonly value: string;
	/** Title of the node's container. */
	readonly around: string | undefined;
	readonly faults: readonly string[];
	/** Breakpoints and pins. */
	readonly stops: readonly StopMark[];
	/** True if the node matches the find bar. */
	readonly found: boolean;
	/** True if edges can be dragged from handles. */
	readonly editable: boolean;
}

const stopIcons = {
	pausedHere: 'debug-stackframe',
	ranLater: 'history',
	breakpoint: 'debug-breakpoint',
	disabled: 'debug-breakpoint-unverified',
	pinned: 'pinned',
} as const;

/** Renders the card of a node as an option of a list box: header, facts and output handles. */
export function renderNodeCard(node: DrawnNode, look: CardLook, words: GraphLabels): unknown {
	const { id, kind, title, container, x, y, width, height, rows, marks } = node;
	const box = `transform:translate(${x}px,${y}px);width:${width}px;height:${height}px`;
	if (isInnerStart(node)) {
		return html`<div class="dot" role="presentation" style=${box} data-node=${id}><span class="codicon codicon-home" aria-hidden="true"></span>${look.editable ? renderHandle(node, 'source', card.head / 2) : nothing}</div>`;
	}
	const { status, faults, stops } = look;
	const type = getOwnField(words.types, kind) ?? kind;
	// a value takes the place of the type, which the icon shows too
	const shown = [
		...look.facts,
		...(look.value === '' ? (type === title ? [] : [type]) : [look.value]),
		...(node.about === undefined ? [] : [node.about]),
	].join(' · ');
	const said = marks.filter(mark => mark === 'unknown' || status === undefined).map(mark => words.marks[mark]);
	// the accessible name contains the visible text in its order
	const lines = rows.map(row => [row.head, getRowText(row, words)].filter(Boolean).join(' '));
	const label = [
		[title, shown, ...lines].filter(part => part !== '').join(' '),
		...(status === undefined ? [] : [getOwnField(words.statuses, status) ?? status]),
		...(look.around === undefined ? [] : [fill(words.inside, look.around)]),
		...said,
		...stops.map(({ word }) => word),
		...faults,
	].join(', ');
	const tip = [label, ...(node.help === undefined ? [] : ['', node.help])].join('\n');
	const classes = [
		'node',
		status ?? '',
		container ? 'container' : '',
		look.selected ? 'selected' : '',
		faults.length > 0 ? 'faulty' : '',
		...stops.filter(({ kind }) => kind === 'pausedHere' || kind === 'ranLater').map(({ kind }) => kind),
		look.found ? 'found' : '',
		...marks,
	];
	return html`<div
		role="option"
		id="node-${look.place}"
		aria-selected=${look.selected ? 'true' : 'false'}
		aria-label=${label}
		class=${classes.filter(each => each !== '').join(' ')}
		style=${box}
		title=${tip}
		data-node=${id}
		data-type=${kind}
	>
		${stops.length === 0 ? nothing : html`<div class="stopMarks" aria-hidden="true">${stops.map(({ kind }) => html`<span class="stopMark ${kind} codicon codicon-${stopIcons[kind]}"></span>`)}</div>`}
		<div class="cardHead" role="presentation">
			<span class="kindIcon codicon codicon-${node.icon}" aria-hidden="true"></span>
			<div class="nodeWords" role="presentation">
				<div class="nodeTitle">${title}</div>
				<div class="dim">${shown}</div>
			</div>
			${faults.length > 0 ? html`<span class="faultIcon codicon codicon-error" aria-hidden="true"></span>` : nothing}
			${status === undefined ? nothing : html`<span class=${getStatusIconClasses(status)} aria-hidden="true"></span>`}
		</div>
		<div class="cardRows" role="presentation">${rows.map(row => renderRow(row, words))}</div>
		${node.role === 'start' ? nothing : html`<span class="handle in" aria-hidden="true" style="top:${card.head / 2}px"></span>`}
		${getHandlePositions(node).map(([handle, top]) => renderHandle(node, handle, top))}
	</div>`;
}

function renderRow(row: CardRow, words: GraphLabels): unknown {
	const { head, handle } = row;
	// the trailing space separates the text of two rows for screen readers
	return html`<div class="cardRow ${handle === undefined ? '' : 'exit'} ${handle === 'fail-branch' ? 'failure' : ''}">${head === undefined ? nothing : html`<b>${head}</b> `}<span>${getRowText(row, words)}</span></div> `;
}

/** Returns the output handles of a card with their vertical positions. End nodes have none. */
export function getHandlePositions({ role, branches, rows }: Pick<DrawnNode, 'role' | 'branches' | 'rows'>): [string, number][] {
	const own = rows.flatMap(({ handle }, at): [string, number][] =>
		handle === undefined ? [] : [[handle, card.head + (at + 0.5) * card.row]],
	);
	return [...(branches || role === 'end' ? [] : [['source', card.head / 2] as [string, number]]), ...own];
}

function renderHandle({ id }: DrawnNode, handle: string, top: number): unknown {
	return html`<span class="handle out ${handle === 'fail-branch' ? 'failure' : ''}" aria-hidden="true" style="top:${top}px" data-exit=${handle} data-of=${id}></span>`;
}
