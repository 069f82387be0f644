import fs from 'node:fs/promises';
import { appendJsonLine, appendLine } from '#base/files/appendLine.ts';
import { runWithFileLock } from '#base/files/fileLock.ts';
import { resolveInside } from '#base/files/fileScope.ts';
import { replaceFile } from '#base/files/replaceFile.ts';
import { isDeepEqual } from '#base/records/plainValues.ts';
import { quoteCsvCell } from '#base/text/csv.ts';
import type { Translate } from '#base/text/localization.ts';
import type { DatasetFile } from '../suite.ts';
import { readDatasetColumns } from './datasetColumns.ts';
import { DatasetError, type DatasetRow } from './datasetRow.ts';
import { isTextFormat, readDatasetRows } from './datasetRows.ts';
import { readSeparatedColumns } from './separatedRows.ts';

type Cells = Readonly<Record<string, unknown>>;

const separators = { csv: ',', tsv: '\t' } as const;
/** Number of bytes to find the first line end in. */
const startLength = 64 * 1024;

/** Reads the columns of a dataset to add a row to; none if it has no rows and no header. Rejects with a {@link DatasetError}. */
export async function readColumnsToFill(file: DatasetFile, t: Translate): Promise<readonly string[]> {
	return file.format === 'csv' || file.format === 'tsv'
		? readSeparatedColumns(file, separators[file.format], t)
		: ((await readDatasetColumns(file, t)) ?? []);
}

/**
 * Returns the first line of the row that has the same values in some columns; `undefined` if there's none. Rejects with a {@link DatasetError},
 * also if the last row can't be read: a row after an open quote would become part of it.
 */
export async function findEqualRow(file: DatasetFile, cells: Cells, columns: readonly string[], t: Translate): Promise<number | undefined> {
	const toComparable = (value: unknown) => (isTextFormat(file.format) ? formatCell(value) : value);
	let last: DatasetRow | undefined;
	for await (const row of readDatasetRows(file, t)) {
		if ('values' in row && columns.every(name => isDeepEqual(row.values[name], toComparable(cells[name])))) {
			return row.line;
		}
		last = row;
	}
	if (last && 'problem' in last && file.format !== 'jsonl') {
		throw new DatasetError(last.problem, last.line);
	}
	return undefined;
}

/**
 * Adds a row at the end of a dataset, in which {@link findEqualRow} found none. Rejects with a {@link DatasetError} if the format can't contain it, and with errors of the file system.
 *
 * @param columns of the file ({@link readColumnsToFill})
 */
export async function appendDatasetRow(file: DatasetFile, cells: Cells, columns: readonly string[], t: Translate): Promise<void> {
	const target = resolveInside(file.file, { folder: file.root, root: file.root });
	await requireUtf8(target, t);
	switch (file.format) {
		case 'jsonl':
			return appendJsonLine(target, cells);
		case 'json':
			return runWithFileLock(target, () => appendJsonEntry(target, cells, t));
		default: {
			const texts = columns.map(name => formatCell(cells[name]));
			if (file.format === 'tsv' && texts.some(text => /[\t\r\n]|^"/.test(text))) {
				throw new DatasetError(t("A TSV file can't contain values with tabs, line breaks or a leading quote. Use CSV or JSONL."));
			}
			const line = texts.map(text => (file.format === 'csv' ? quoteCsvCell(text) : text)).join(separators[file.format]);
			return appendLine(target, line, await readLineEnd(target, file.format));
		}
	}
}

/** Adds an entry to the list in a JSON file, without parsing the others, which takes seconds for 10 MB. */
async function appendJsonEntry(file: string, cells: Cells, t: Translate): Promise<void> {
	const text = await fs.readFile(file, 'utf8');
	const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '\t';
	const end = text.lastIndexOf(']');
	if (end < 0) {
		throw new DatasetError(t("The file isn't a list. Expected [ … ] with one entry for each row."));
	}
	const before = text.slice(0, end).trimEnd();
	const row = JSON.stringify(cells, undefined, unit).replaceAll('\n', `\n${unit}`);
	await replaceFile(file, `${before}${/[[,]$/.test(before) ? '' : ','}\n${unit}${row}\n${text.slice(end)}`);
}

function formatCell(value: unknown): string {
	return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** Rejects for UTF-16, to which lines can't be appended as UTF-8. */
async function requireUtf8(file: string, t: Translate): Promise<void> {
	const [first, second] = await readStart(file, 2);
	if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
		throw new DatasetError(t('Rows can only be added to UTF-8 files. Save the dataset as UTF-8.'));
	}
}

/** Returns the first line end outside of quotes, because readers take it for that of all rows. In TSV, quotes are plain characters. */
async function readLineEnd(file: string, format: DatasetFile['format']): Promise<'\n' | '\r\n' | '\r'> {
	const start = (await readStart(file, startLength)).toString('latin1');
	const [end] = /\r\n?|\n/.exec(format === 'csv' ? start.replace(/"[^"]*"/g, '') : start) ?? [];
	return (end as '\n' | '\r\n' | '\r' | undefined) ?? '\n';
}

async function readStart(file: string, length: number): Promise<Buffer> {
	await using handle = await fs.open(file);
	const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
	return buffer.subarray(0, bytesRead);
}
