import type { TimelineRow } from '#runs/events/timeline.ts';
import type { TimelineMoment } from '#runs/events/timelineHistory.ts';
import type { FromInspectorHost } from '../inspectorMessages.ts';
import type { ShownRunState } from '../runState.ts';
import { renderMomentBar } from './momentBar.ts';

interface MomentEvents {
	/** Asks the host for the moments from an index on. */
	requestMoments(from: number): void;
	/** `isFirst`: the present was shown before. */
	onChosen(moment: number | undefined, isFirst: boolean): void;
	/** Called when the shown moment may have changed. */
	onShown(): void;
}

/** The moments of the shown run, and the chosen one. The host sends the moments once one is chosen that the page doesn't have yet. */
export class RunMoments {
	readonly #events: MomentEvents;
	#moments: TimelineMoment[] = [];
	#replaced: Extract<FromInspectorHost, { type: 'moments' }>['replaced'] = [];
	/** Number of the chosen moment, from 1; undefined for the present. */
	#chosen: number | undefined;
	/** Number of moments that were requested. */
	#requested = 0;
	#last: { readonly number: number; readonly rows: Map<string, TimelineRow> } | undefined;

	constructor(events: MomentEvents) {
		this.#events = events;
	}

	/** Number of the chosen moment, from 1; undefined for the present. */
	get chosen(): number | undefined {
		return this.#chosen;
	}

	/** Forgets the moments, for another run. */
	clear(): void {
		this.#moments = [];
		this.#replaced = [];
		this.#chosen = undefined;
		this.#requested = 0;
		this.#last = undefined;
	}

	/** Chooses a moment of `count`. The last one is the present. */
	chooseMoment(number: number, count: number): void {
		const isFirst = this.#chosen === undefined;
		this.#chosen = number < count ? Math.max(1, number) : undefined;
		this.#events.onChosen(this.#chosen, isFirst && this.#chosen !== undefined);
		if (this.#chosen !== undefined && this.#chosen > this.#requested) {
			this.#requested = count;
			this.#events.requestMoments(this.#moments.length);
		} else {
			this.#events.onShown();
		}
	}

	/** Chooses the moment that was shown before the page was hidden, if there was one. */
	restoreMoment(number: number | undefined, count: number): void {
		if (number !== undefined) {
			this.chooseMoment(number, count);
		}
	}

	/**
	 * Stores moments from the host. The page may have received some of them already, for an earlier request.
	 * @param shown key of the shown run, whose moments aren't mixed with those of the run before
	 */
	receiveMoments({ key, from, moments, replaced }: Extract<FromInspectorHost, { type: 'moments' }>, shown: string | undefined): void {
		if (key === shown && from <= this.#moments.length) {
			this.#moments = [...this.#moments, ...moments.slice(this.#moments.length - from)];
			this.#replaced = replaced;
			this.#events.onShown();
		}
	}

	/** Asks for the texts of earlier moments again if the run's text no longer continues them. */
	onTextChanged(isReplaced: boolean): void {
		if (isReplaced && this.#requested > 0) {
			this.#events.requestMoments(this.#moments.length);
		}
	}

	/** Renders the slider. `state`: the run as it's shown. */
	render({ head, strings, moment }: ShownRunState): unknown {
		const choose = (number: number) => this.chooseMoment(number, head.moments);
		return renderMomentBar({ strings, count: head.moments, chosen: this.#chosen, moment, choose });
	}

	/** Returns the run as of the chosen moment; `state` itself for the present, and until the host has sent the moment. */
	applyMoment(state: ShownRunState): ShownRunState {
		const number = this.#chosen;
		const moment = number === undefined ? undefined : this.#moments[number - 1];
		if (number === undefined || !moment) {
			return state;
		}
		const rows = this.#collectRows(number);
		const text = (this.#replaced.find(({ moments }) => moments >= number)?.text ?? state.text).slice(0, moment.textLength);
		const { place, at } = moment;
		const changed = moment.rows.at(-1);
		const [first] = state.rows.values();
		return {
			...state,
			head: { ...state.head, live: true, status: 'running' },
			rows,
			text,
			outputs: undefined,
			moment: { number, place, at, elapsedMs: at - (first?.start ?? at), row: changed && rows.get(changed.id), presentRows: state.rows },
		};
	}

	#collectRows(number: number): Map<string, TimelineRow> {
		const last = this.#last;
		if (last?.number !== number) {
			const goesOn = last !== undefined && last.number < number;
			const rows = goesOn ? last.rows : new Map<string, TimelineRow>();
			for (const moment of this.#moments.slice(goesOn ? last.number : 0, number)) {
				for (const row of moment.rows) {
					rows.set(row.id, row);
				}
			}
			this.#last = { number, rows };
			return rows;
		}
		return last.rows;
	}
}
