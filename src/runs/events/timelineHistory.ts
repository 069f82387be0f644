import type { TimelineRow } from './timeline.ts';

/** A moment of a run: the rows that one journal entry added or changed. */
export interface TimelineMoment {
	/** Index of the journal entry, from 0. */
	readonly place: number;
	/** Time on the clock of the rows, in milliseconds. Never less than that of the moment before. */
	readonly at: number;
	/** The rows as they were after the entry. If one is listed more than once, its last state counts. */
	readonly rows: readonly TimelineRow[];
	/** Length of the text streamed so far, in UTF-16 units. */
	readonly textLength: number;
}

/** A streamed text that was replaced after `moments` moments. */
export interface ReplacedText {
	readonly moments: number;
	readonly text: string;
}

/** Maximum number of stored row states, and of lengths of thoughts, because a service may send any number. Later ones aren't stored. */
const mostStates = 200_000;
/** Maximum length of all stored replaced texts, in UTF-16 units. Further texts are stored empty. */
const longestReplaced = 2_000_000;

/** Records the states that a run's rows went through, so that the run can be shown as of any of its moments. */
export class TimelineHistory {
	readonly #moments: (TimelineMoment & { readonly rows: TimelineRow[] })[] = [];
	readonly #replaced: ReplacedText[] = [];
	/** Lengths of a row's thoughts by the journal entry that added to them. */
	readonly #thoughts = new Map<string, { place: number; length: number }[]>();
	#states = 0;
	#lengths = 0;
	#replacedLength = 0;
	/** Length of the text streamed so far. */
	textLength = 0;

	/** Number of moments so far. */
	get count(): number {
		return this.#moments.length;
	}

	/** Returns the moments from an index on. */
	getMoments(from: number): readonly TimelineMoment[] {
		return this.#moments.slice(from);
	}

	/** The replaced texts, oldest first. A moment's text is the beginning of the first one that was replaced after it, else of the run's text. */
	get replacedTexts(): readonly ReplacedText[] {
		return this.#replaced;
	}

	/** Records the state of a row after the journal entry with this index. */
	addRow(place: number, row: TimelineRow): void {
		if (this.#states >= mostStates) {
			return;
		}
		this.#states++;
		const last = this.#moments.at(-1);
		if (last?.place === place) {
			last.rows.push(row);
		} else {
			const at = Math.max(last?.at ?? 0, row.end ?? row.start);
			this.#moments.push({ place, at, rows: [row], textLength: this.textLength });
		}
	}

	/** Records that the streamed text is replaced by one that doesn't continue it. */
	replaceText(text: string): void {
		if (this.#replaced.at(-1)?.moments === this.count) {
			// no moment shows this text
			return;
		}
		const isKept = this.#replacedLength + text.length <= longestReplaced;
		this.#replacedLength += isKept ? text.length : 0;
		this.#replaced.push({ moments: this.count, text: isKept ? text : '' });
	}

	/** Records the length of a row's thoughts after the journal entry with this index. */
	addThoughts(place: number, row: string, length: number): void {
		const lengths = this.#thoughts.get(row) ?? [];
		const last = lengths.at(-1);
		if (last && last.place > (this.#moments.at(-1)?.place ?? -1)) {
			// no moment shows the last length
			last.place = place;
			last.length = length;
		} else if (this.#lengths < mostStates) {
			this.#lengths++;
			lengths.push({ place, length });
			this.#thoughts.set(row, lengths);
		}
	}

	/** Returns the length of a row's thoughts after the journal entry with this index. */
	getThoughtsLength(row: string, place: number): number {
		return this.#thoughts.get(row)?.findLast(each => each.place <= place)?.length ?? 0;
	}
}
