import { pipeline } from 'node:stream';
import { type Info, type Options, parse } from 'csv-parse';
import type { Translate } from '#base/text/localization.ts';
import { EventLoopYield } from '#base/timing/eventLoopYield.ts';
import type { DatasetFile } from '../suite.ts';
import { DatasetError, type DatasetRow } from './datasetRow.ts';
import { longestRow, readDatasetText } from './datasetText.ts';

type Record = { readonly record: readonly string[]; readonly info: Info };

/**
 * Reads the rows of a CSV or TSV file. The first line names the columns. Throws a {@link DatasetError} for a file without usable
 * columns.
 */
export async function* readSeparatedRows(file: DatasetFile, separator: ',' | '\t', t: Translate): AsyncGenerator<DatasetRow, void> {
	const skipped: { readonly counted: number; readonly open: boolean; readonly problem: string }[] = [];
	const options: Options = {
		delimiter: separator,
		info: true,
		relax_column_count: true,
		// in TSV, quotes are plain characters
		relax_quotes: separator === '\t',
		max_record_size: longestRow,
		skip_records_with_error: true,
		on_skip: error => {
			const { lines = 1, code } = (error ?? {}) as { readonly lines?: number; readonly code?: string };
			if (code === 'CSV_MAX_RECORD_SIZE') {
				// the parser would report it for each following character
				const message = t('The row on this line has more than {0} characters. Check for a missing closing quote.', longestRow);
				throw new DatasetError(message, lines);
			}
			skipped.push({ counted: lines, open: code === 'CSV_QUOTE_NOT_CLOSED', problem: describeProblem(error, t) });
			return undefined;
		},
	};
	const records = pipeline(readDatasetText(file, t), parse(options), () => undefined) as AsyncIterable<Record>;
	const yielder = new EventLoopYield();
	let columns: readonly string[] | undefined;
	let row = 0;
	let emptyLines: number[] = [];
	/** Lines that the parser counted twice: those that end with CR LF inside a quoted field. */
	let surplus = 0;
	let lastLine = 0;
	// the parser is ahead of the rows that were read
	const reportSkippedRows = function* (before: number): Generator<DatasetRow> {
		// remove a whole prefix: shift() is linear, and a file may have a million such rows
		const end = skipped.findIndex(({ counted }) => counted >= before);
		const due = skipped.splice(0, end < 0 ? skipped.length : end);
		for (const { counted, open, problem } of due) {
			if (!columns) {
				throw new DatasetError(t("Couldn't read the column names: {0}", problem), lastLine + 1);
			}
			// the parser reports the end of the file for an unclosed quote before it
			lastLine = open ? Math.min(lastLine + 1, counted - surplus) : counted - surplus;
			yield { row: ++row, line: lastLine, problem };
		}
	};
	try {
		for await (const { record, info } of records) {
			yield* reportSkippedRows(info.lines);
			surplus += countLineEnds(record, /\r\n/g);
			lastLine = info.lines - surplus;
			if (!columns) {
				columns = isEmptyLine(record) ? undefined : checkColumns(record, t);
				continue;
			}
			if (isEmptyLine(record)) {
				emptyLines.push(lastLine);
				continue;
			}
			const line = lastLine - countLineEnds(record, /\n/g);
			// with one column, an empty line between rows is a row with an empty cell
			for (const at of columns.length === 1 ? emptyLines : []) {
				if (yielder.isDue) {
					await yielder.yieldTurn();
				}
				yield { row: ++row, line: at, values: { [columns[0]!]: '' } };
			}
			emptyLines = [];
			row++;
			yield record.length === columns.length
				? { row, line, values: Object.fromEntries(columns.map((name, at) => [name, record[at]])) }
				: { row, line, problem: t('Number of fields in the row: {0}. Expected {1}, one for each column.', record.length, columns.length) };
		}
		yield* reportSkippedRows(Number.POSITIVE_INFINITY);
	} catch (error) {
		if (error instanceof DatasetError) {
			throw error;
		}
		throw new DatasetError((error as Error).message, 1, { cause: error });
	}
}

/** Reads the columns of a CSV or TSV file, also if it has no rows; none if it's empty. Throws a {@link DatasetError}. */
export async function readSeparatedColumns(file: DatasetFile, separator: ',' | '\t', t: Translate): Promise<readonly string[]> {
	const options: Options = {
		delimiter: separator,
		relax_column_count: true,
		relax_quotes: separator === '\t',
		max_record_size: longestRow,
	};
	const records = pipeline(readDatasetText(file, t), parse(options), () => undefined) as AsyncIterable<readonly string[]>;
	try {
		for await (const record of records) {
			if (!isEmptyLine(record)) {
				return checkColumns(record, t);
			}
		}
	} catch (error) {
		throw error instanceof DatasetError
			? error
			: new DatasetError(t("Couldn't read the column names: {0}", describeProblem(error as Error, t)), 1, { cause: error });
	}
	return [];
}

function isEmptyLine(record: readonly string[]): boolean {
	return record.length === 1 && record[0] === '';
}

function checkColumns(record: readonly string[], t: Translate): readonly string[] {
	const names = new Set<string>();
	const double = record.find(name => names.size === names.add(name).size);
	if (double !== undefined) {
		throw new DatasetError(t("Two columns are named '{0}'.", double));
	}
	return record;
}

function countLineEnds(record: readonly string[], kind: RegExp): number {
	return record.reduce((sum, field) => sum + (field.match(kind)?.length ?? 0), 0);
}

function describeProblem(error: Error | undefined, t: Translate): string {
	switch ((error as { readonly code?: string } | undefined)?.code) {
		case 'CSV_QUOTE_NOT_CLOSED':
			return t('A quote isn\'t closed. Expected " at the end of the field.');
		case 'INVALID_OPENING_QUOTE':
			return t('The field contains a quote. Put the whole field in quotes and double each quote in it.');
		case 'CSV_INVALID_CLOSING_QUOTE':
			return t('There is text after a closing quote. Expected a separator or a doubled quote.');
		default:
			return error?.message ?? t("Couldn't read the row.");
	}
}
