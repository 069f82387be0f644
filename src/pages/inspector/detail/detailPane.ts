import type { TimelineRow } from '#runs/events/timeline.ts';
import type { DetailTab, InspectorHead, NodeDetail } from '../inspectorMessages.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import { nowOf } from '../timeline/runClock.ts';
import { type DetailModel, detailView } from './detailView.ts';

/** A row that is passed by with the arrow keys is not asked for. */
const delayMs = 60;
/** The detail of a row that goes on is asked for again at most this often, in milliseconds. */
const againMs = 200;

interface DetailPaneParts {
	/** Asks the host for the detail of a row. */
	ask(row: string): void;
	/** The user chose what is shown of rows. */
	chose(part: DetailTab): void;
}

/** What is shown of the selected row: asked for when it stays selected, and again as it goes on. */
export class DetailPane {
	readonly #parts: DetailPaneParts;
	/** What was chosen to be shown of rows. */
	#part: DetailTab | undefined;
	#selected: string | undefined;
	#detail: NodeDetail | undefined;
	#timer: number | undefined;

	constructor(part: DetailTab | undefined, parts: DetailPaneParts) {
		this.#part = part;
		this.#parts = parts;
	}

	/** Another run takes the place of this one. */
	leave(): void {
		this.#selected = undefined;
		this.#detail = undefined;
	}

	/** Another row was selected, or the same one again. */
	show(row: TimelineRow | undefined): void {
		if (this.#selected !== row?.id) {
			this.#selected = row?.id;
			this.#detail = undefined;
		}
		if (!this.#detail) {
			this.#ask(delayMs);
		}
	}

	/** Something came of these rows. */
	changed(rows: readonly TimelineRow[]): void {
		// what comes faster than that is not read
		if (this.#timer === undefined && rows.some(({ id }) => id === this.#selected)) {
			this.#ask(againMs);
		}
	}

	/** Takes a detail; says whether it is that of the selected row. */
	take({ id, detail }: { readonly id: string; readonly detail: NodeDetail }): boolean {
		if (id !== this.#selected) {
			return false;
		}
		this.#detail = detail;
		return true;
	}

	view(
		{ head, strings }: { readonly head: InspectorHead; readonly strings: InspectorStrings },
		model: Pick<DetailModel, 'row' | 'empty' | 'code' | 'goToSource' | 'onNode'>,
	): unknown {
		const detail = model.row?.id === this.#selected ? this.#detail : undefined;
		return detailView({
			...model,
			strings,
			detail,
			part: this.#partOf(model.row, detail),
			now: nowOf(head),
			select: part => {
				this.#part = part;
				this.#parts.chose(part);
			},
		});
	}

	#ask(afterMs: number): void {
		clearTimeout(this.#timer);
		this.#timer = window.setTimeout(() => {
			this.#timer = undefined;
			if (this.#selected !== undefined) {
				this.#parts.ask(this.#selected);
			}
		}, afterMs);
	}

	/** What was chosen, as far as the row has it. */
	#partOf(row: TimelineRow | undefined, detail: NodeDetail | undefined): DetailTab {
		const part = this.#part;
		const isOfSome = part === 'conversation' || part === 'written';
		if (part !== undefined && (!isOfSome || detail === undefined || detail[part])) {
			return part;
		}
		return row?.error ? 'error' : detail?.conversation ? 'conversation' : detail?.outputs === undefined ? 'inputs' : 'outputs';
	}
}
