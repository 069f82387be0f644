import type { TimelineRow } from '#runs/events/timeline.ts';
import type { DetailTab, InspectorHead, NodeDetail } from '../inspectorMessages.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import { formatAsOf } from '../moments/momentBar.ts';
import type { ShownMoment } from '../moments/shownMoment.ts';
import { getRunTime } from '../timeline/runClock.ts';
import { type DetailModel, renderDetail } from './detailView.ts';

/**
 * Delay before the detail of a selected row is requested, in milliseconds, so that moving through rows with the arrow keys doesn't request
 * each.
 */
const delayMs = 60;
/** Minimum time between two requests for the detail of a running row, in milliseconds. */
const againMs = 200;

interface DetailPaneParts {
	/** Requests the detail of a row from the host. `until`: index of the last journal entry to consider. */
	requestDetail(row: string, until: number | undefined): void;
	onTabChosen(part: DetailTab): void;
}

/** Shows details of the selected row. Requests them once the selection settles, and again while the row is running. */
export class DetailPane {
	readonly #parts: DetailPaneParts;
	/** The tab that the user chose last. */
	#part: DetailTab | undefined;
	#selected: string | undefined;
	#detail: NodeDetail | undefined;
	/** Journal entry of the shown moment; undefined for the present. */
	#until: number | undefined;
	#timer: number | undefined;

	constructor(part: DetailTab | undefined, parts: DetailPaneParts) {
		this.#part = part;
		this.#parts = parts;
	}

	/** Clears the pane for another run. */
	clear(): void {
		this.#selected = undefined;
		this.#detail = undefined;
		this.#until = undefined;
	}

	showRow(row: TimelineRow | undefined): void {
		if (this.#selected !== row?.id) {
			this.#selected = row?.id;
			this.#detail = undefined;
		}
		if (!this.#detail) {
			this.#scheduleRequest(delayMs);
		}
	}

	/** Shows the detail as of another moment, once it has been loaded. `until`: journal entry of the moment; undefined for the present. */
	showMoment(until: number | undefined): void {
		if (this.#until !== until) {
			this.#until = until;
			this.#scheduleRequest(delayMs);
		}
	}

	onRowsChanged(rows: readonly TimelineRow[]): void {
		// limits requests to one per interval
		if (this.#timer === undefined && rows.some(({ id }) => id === this.#selected)) {
			this.#scheduleRequest(againMs);
		}
	}

	/** Stores a detail. Returns false if it isn't for the selected row at the shown moment. */
	receiveDetail({ id, until, detail }: { readonly id: string; readonly until?: number; readonly detail: NodeDetail }): boolean {
		if (id !== this.#selected || until !== this.#until) {
			return false;
		}
		this.#detail = detail;
		return true;
	}

	render(
		{ strings, ...run }: { readonly head: InspectorHead; readonly strings: InspectorStrings; readonly moment?: ShownMoment },
		model: Pick<DetailModel, 'row' | 'empty' | 'code' | 'goToSource' | 'onNode'>,
	): unknown {
		const detail = model.row?.id === this.#selected ? this.#detail : undefined;
		return renderDetail({
			...model,
			strings,
			detail,
			part: this.#choosePart(model.row, detail),
			asOf: formatAsOf(run.moment, strings),
			now: getRunTime(run),
			select: part => {
				this.#part = part;
				this.#parts.onTabChosen(part);
			},
		});
	}

	#scheduleRequest(afterMs: number): void {
		clearTimeout(this.#timer);
		this.#timer = window.setTimeout(() => {
			this.#timer = undefined;
			if (this.#selected !== undefined) {
				this.#parts.requestDetail(this.#selected, this.#until);
			}
		}, afterMs);
	}

	/** Returns the chosen tab if the row has it, otherwise the most useful one. */
	#choosePart(row: TimelineRow | undefined, detail: NodeDetail | undefined): DetailTab {
		const part = this.#part;
		const isOptional = part === 'conversation' || part === 'written';
		if (part !== undefined && (!isOptional || detail === undefined || detail[part])) {
			return part;
		}
		return row?.error ? 'error' : detail?.conversation ? 'conversation' : detail?.outputs === undefined ? 'inputs' : 'outputs';
	}
}
