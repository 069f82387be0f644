import { longestRow } from './datasetText.ts';

/** The text of one row as it is read, piece by piece; of one that is too long nothing is held. */
export class PieceText {
	#pieces: string[] = [];
	#length = 0;

	add(piece: string): void {
		this.#length += piece.length;
		if (this.#length > longestRow) {
			this.#pieces = [];
		} else if (piece !== '') {
			this.#pieces.push(piece);
		}
	}

	/** What was added, and begins anew; `undefined` where it was too long. */
	take(): string | undefined {
		const text = this.#length > longestRow ? undefined : this.#pieces.join('');
		this.#pieces = [];
		this.#length = 0;
		return text;
	}
}
