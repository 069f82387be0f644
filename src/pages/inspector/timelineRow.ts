import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import { fill, fillCount } from '../shared/fill.ts';
import { getStatusIconClasses } from '../shared/statusIcon.ts';
import { getRunTime } from './timeline/runClock.ts';
import { renderMomentLine } from './timeline/timeAxis.ts';
import type { TimelineModel } from './timeline/timelineView.ts';
import { iterationKind, type VisibleRow } from './visibleRows.ts';

interface RowContext {
	/** Index in the list. */
	readonly place: number;
	/** Offset in pixels. */
	readonly top: number;
	/** Start and end of the time range of the bars, in Unix milliseconds. */
	readonly from: number;
	readonly to: number;
	readonly isSelected: boolean;
	readonly model: TimelineModel;
	select(): void;
	toggle(): void;
	/** Shows the node with this ID in its agent file. */
	goToSource(id: string): void;
}

/** Renders a row of the timeline: status, title, notes, bar and duration. */
export function renderTimelineRow(
	visible: VisibleRow,
	{ place, top, from, to, isSelected, model, select, toggle, goToSource }: RowContext,
): unknown {
	const { row, level, expandable, expanded, nodes, slowest, inIteration } = visible;
	const { strings, moment } = model;
	const kind = getOwnField(strings.kinds, row.kind) ?? row.kind;
	const { status, start, end, round, rounds, retries, critical, error } = row;
	const isRound = kind === iterationKind;
	const title = isRound ? fill(strings.roundTitle, round ?? '') : row.title;
	const until = end ?? getRunTime(model) ?? start;
	const range = to - from;
	const duration = status === 'info' ? '' : formatDuration(until - start, 'exact', strings);
	const notes = [
		...(round === undefined || isRound || inIteration ? [] : [fill(strings.round, round)]),
		...(nodes === undefined ? [] : [fillCount(strings.nodeCount, nodes)]),
		...(row.standIn ? [strings[row.standIn]] : []),
		...(row.changedByHand ? [strings.changedByHand] : []),
		...(slowest ? [strings.slowest] : []),
		...(rounds === undefined ? [] : [fill(strings.rounds, rounds)]),
		...(retries === undefined ? [] : [fill(strings.retries, retries)]),
	];
	const state = getOwnField(strings.statuses, status) ?? (status === 'info' ? '' : status);
	const label = [
		title,
		isRound ? '' : kind,
		inIteration ? fill(strings.round, round ?? '') : '',
		state,
		duration,
		...notes,
		critical ? strings.critical : '',
		error ?? '',
	]
		.filter(Boolean)
		.join(', ');
	return html`<div
		role="row"
		id="row-${place}"
		class="nodeRow ${isSelected ? 'selected' : ''} ${critical ? 'critical' : ''} ${row.kind === 'note' ? 'note' : ''}"
		style="top: ${top}px"
		aria-rowindex=${place + 1}
		aria-level=${level}
		aria-selected=${isSelected ? 'true' : 'false'}
		aria-expanded=${expandable ? String(expanded) : nothing}
		aria-label=${label}
		title=${label}
		@click=${select}
		@dblclick=${() => (expandable ? toggle() : row.nodeId !== undefined && goToSource(row.nodeId))}
	>
		<div role="gridcell" class="nameCell" style="padding-inline-start: ${4 + (level - 1) * 14}px">
			<span
				class="twistie ${expandable ? `codicon codicon-chevron-${expanded ? 'down' : 'right'}` : ''}"
				aria-hidden="true"
				@click=${(event: Event) => {
					event.stopPropagation();
					toggle();
				}}
			></span>
			<span class=${getStatusIconClasses(status)} aria-hidden="true"></span>
			<span class="nodeTitle">${title}</span>
			<span class="dim">${[...notes, kind === title || isRound ? '' : kind].filter(Boolean).join(' · ')}</span>
		</div>
		<div role="gridcell" class="barCell">
			<span class="bar ${status}" style="left: ${((start - from) / range) * 100}%; width: ${((until - start) / range) * 100}%"></span>
			${moment ? renderMomentLine((moment.at - from) / range) : nothing}
		</div>
		<div role="gridcell" class="timeCell">${duration}</div>
	</div>`;
}
