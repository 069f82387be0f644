import { isRecord } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import { isTooDeepJson, maxJsonDepth } from '#contract/jsonDepth.ts';
import type { DatasetFile } from '../suite.ts';
import { DatasetError, type DatasetRow } from './datasetRow.ts';
import { longestRow, readDatasetText } from './datasetText.ts';

interface Piece {
	/** The row's text; `undefined` if it's too long. */
	readonly text: string | undefined;
	/** First line of the row, from 1. */
	readonly line: number;
}

/** Reads the rows of a JSON Lines file. Ignores empty lines. */
export async function* readJsonLines(file: DatasetFile, t: Translate): AsyncGenerator<DatasetRow, void> {
	let row = 0;
	let line = 0;
	for await (const text of readTextLines(file, t)) {
		line++;
		if (text?.trim() !== '') {
			yield parseRow({ text, line }, ++row, t);
		}
	}
}

/**
 * Reads the rows of a file with one JSON list. Splits the text into entries and parses each separately, so that an invalid entry doesn't
 * affect others. Streaming libraries stop at the first error and report no line.
 */
export async function* readJsonList(file: DatasetFile, t: Translate): AsyncGenerator<DatasetRow, void> {
	let row = 0;
	for await (const piece of readListEntries(file, t)) {
		yield parseRow(piece, ++row, t);
	}
}

function parseRow({ text, line }: Piece, row: number, t: Translate): DatasetRow {
	if (text === undefined) {
		return { row, line, problem: t('The row is too long. The limit is {0} characters.', longestRow) };
	}
	try {
		const values: unknown = JSON.parse(text);
		if (isTooDeepJson(text, values)) {
			return { row, line, problem: t('The row is nested too deeply. The limit is {0} levels.', maxJsonDepth) };
		}
		return isRecord(values)
			? { row, line, values: values as Record<string, unknown> }
			: { row, line, problem: t('The row is {0}. Expected an object with the columns as fields.', JSON.stringify(values).slice(0, 60)) };
	} catch (error) {
		return { row, line, problem: t("The row isn't valid JSON: {0}", (error as Error).message) };
	}
}

async function* readTextLines(file: DatasetFile, t: Translate): AsyncGenerator<string | undefined, void> {
	const rest = new RowText();
	for await (const chunk of readDatasetText(file, t)) {
		const [first = '', ...others] = chunk.split('\n');
		rest.add(first);
		for (const each of others) {
			yield rest.takeText();
			rest.add(each);
		}
	}
	yield rest.takeText();
}

async function* readListEntries(file: DatasetFile, t: Translate): AsyncGenerator<Piece, void> {
	let depth = 0;
	let inText = false;
	let escaped = false;
	let line = 1;
	const piece = new RowText();
	let pieceLine = 1;
	/** True if the piece is only white space so far. */
	let isBlank = true;
	let ended = false;
	for await (const chunk of readDatasetText(file, t)) {
		let from = 0;
		for (let at = 0; at < chunk.length; at++) {
			const char = chunk[at]!;
			if (char === '\n') {
				line++;
			}
			if (inText) {
				inText = escaped || char !== '"';
				escaped = !escaped && char === '\\';
				continue;
			}
			if (depth === 0) {
				if (char === '[' && !ended) {
					depth = 1;
					from = at + 1;
				} else if (char.trim() !== '') {
					throw new DatasetError(
						ended
							? t('There is text after the list. Expected the end of the file.')
							: t("The file isn't a list. Expected [ … ] with one entry for each row."),
						line,
					);
				}
				continue;
			}
			const ends = depth === 1 && (char === ',' || char === ']');
			if (ends) {
				piece.add(chunk.slice(from, at));
				from = at + 1;
				const text = piece.takeText();
				if (text?.trim() !== '') {
					yield { text, line: pieceLine };
				}
				isBlank = true;
			} else if (isBlank && char.trim() !== '') {
				pieceLine = line;
				isBlank = false;
			}
			if (char === '"') {
				inText = true;
			} else if (char === '{' || char === '[') {
				depth++;
			} else if (char === '}' || char === ']') {
				depth--;
				ended = depth === 0;
			}
		}
		piece.add(depth === 0 ? '' : chunk.slice(from));
	}
	if (!ended) {
		throw new DatasetError(t("The list isn't closed. Its last row starts here. Expected ] at the end of the file."), pieceLine);
	}
}

/** Collects the text of one row. Stores nothing of a row that is too long. */
class RowText {
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

	/** Returns the collected text and resets; `undefined` if it was too long. */
	takeText(): string | undefined {
		const text = this.#length > longestRow ? undefined : this.#pieces.join('');
		this.#pieces = [];
		this.#length = 0;
		return text;
	}
}
