import path from 'node:path';
import { readPlainYaml } from '#agentFile/plainYaml.ts';
import { translateMessage } from '#base/text/localizableMessage.ts';
import type { Translate } from '#base/text/localization.ts';
import { readLocalBytes, readLocalText } from '#runs/request/localFiles.ts';
import type { ImportedSuite, ImportTarget } from './importedSuite.ts';
import { ForeignPlace, ImportFault, ImportReading, mostFileBytes } from './importReading.ts';
import { importPromptfoo } from './promptfoo/importPromptfoo.ts';
import { findRows, readArchivedSamples, readLineRows, readRows } from './rows/foreignRows.ts';
import { importRows } from './rows/importRows.ts';

/**
 * Makes a suite from a file of another tool: a configuration of promptfoo, or the rows of a dataset. Runs no code of it, and reads only files
 * in its folder. Rejects with an {@link ImportFault}, or with a `RunFileValueError` if the file can't be read.
 *
 * @param file absolute path
 */
export async function importFile(file: string, target: ImportTarget, t: Translate): Promise<ImportedSuite> {
	const reading = new ImportReading(file, t);
	const scope = { folder: reading.folder, root: reading.folder };
	if (/\.eval$/i.test(file)) {
		const archive = await readLocalBytes(path.basename(file), scope, t, mostFileBytes);
		return importRows(readArchivedSamples(file, archive, reading), target, reading);
	}
	const text = await readLocalText(path.basename(file), scope, t, mostFileBytes);
	if (/\.(?:jsonl|ndjson)$/i.test(file)) {
		return importRows(readLineRows(file, text, reading), target, reading);
	}
	const { content, error, getLine } = readPlainYaml(text);
	if (error) {
		throw new ImportFault(translateMessage(error.message, t), error.line);
	}
	const read = { value: content, place: new ForeignPlace({ file, getLine }) };
	const rows = findRows(read);
	return rows ? importRows(readRows(rows, reading), target, reading) : importPromptfoo(read, target, reading);
}
