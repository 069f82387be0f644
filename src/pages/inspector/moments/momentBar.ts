import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { getOwnField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import { fill } from '../../shared/fill.ts';
import { formatNumber } from '../../shared/format.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import type { ShownMoment } from './shownMoment.ts';

interface MomentBar {
	readonly strings: InspectorStrings;
	/** Number of moments so far; the last one is the present. */
	readonly count: number;
	/** Number of the chosen moment, from 1; undefined for the present. */
	readonly chosen: number | undefined;
	/** The shown moment; undefined for the present. */
	readonly moment: ShownMoment | undefined;
	choose(number: number): void;
}

/** Renders a slider over the moments of a run, with buttons for the previous and next one. Nothing if there is only one moment. */
export function renderMomentBar({ strings, count, chosen = count, moment, choose }: MomentBar): unknown {
	if (count < 2) {
		return nothing;
	}
	const number = `${formatNumber(chosen)}/${formatNumber(count)}`;
	const what = moment ? [number, formatDuration(moment.elapsedMs, 'exact', strings), formatChange(moment, strings)] : [number];
	const text = what.filter(Boolean).join(' · ');
	const renderStep = (offset: -1 | 1, icon: string, label: string) => {
		const isEnd = offset < 0 ? chosen <= 1 : chosen >= count;
		return html`<button type="button" class="iconButton" title=${label} aria-label=${label} ?disabled=${isEnd} @click=${() => choose(chosen + offset)}>
			<span class="codicon codicon-${icon}" aria-hidden="true"></span>
		</button>`;
	};
	return html`<div class="moments ${moment ? 'past' : ''}" role="group" aria-label=${strings.moments}>
		${renderStep(-1, 'chevron-left', strings.momentBefore)}
		<input
			type="range"
			min="1"
			max=${count}
			.value=${live(String(chosen))}
			aria-label=${strings.moments}
			aria-valuetext=${moment ? text : `${number} · ${strings.present}`}
			title=${strings.moments}
			@input=${(event: Event) => choose(Number((event.target as HTMLInputElement).value))}
		/>
		${renderStep(1, 'chevron-right', strings.momentAfter)}
		<span class="momentText" title=${text}>${text}</span>
		${
			moment
				? html`<button type="button" class="wordButton" @click=${() => choose(count)}>
						<span class="codicon codicon-debug-continue" aria-hidden="true"></span>${strings.returnToPresent}
					</button>`
				: nothing
		}
	</div>`;
}

/** Says which past moment is shown; undefined for the present. */
export function formatAsOf(moment: ShownMoment | undefined, strings: InspectorStrings): string | undefined {
	return moment && fill(strings.asOf, formatDuration(moment.elapsedMs, 'exact', strings));
}

function formatChange({ row }: ShownMoment, strings: InspectorStrings): string {
	const state = getOwnField(strings.statuses, row?.status ?? '');
	return row ? [row.title, ...(state ? [state] : [])].join(': ') : '';
}
