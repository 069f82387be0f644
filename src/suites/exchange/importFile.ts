import path from 'node:path';
import { readPlainYaml } from '#agentFile/plainYaml.ts';
import { translateMessage } from '#base/text/localizableMessage.ts';
import type { Translate } from '#base/text/localization.ts';
import { readLocalText } from '#runs/request/localFiles.ts';
import type { ImportedSuite, ImportTarget } from './importedSuite.ts';
import { ForeignPlace, ImportFault, ImportReading, mostFileBytes } from './importReading.ts';
import { importPromptfoo } from './promptfoo/importPromptfoo.ts';

/**
 * Makes a suite from a file of another tool. Runs no code of it, and reads only files in its folder. Rejects with an {@link ImportFault}, or
 * with a `RunFileValueError` if the file can't be read.
 *
 * @param file absolute path
 */
export async function importFile(file: string, target: ImportTarget, t: Translate): Promise<ImportedSuite> {
	const reading = new ImportReading(file, t);
	const text = await readLocalText(path.basename(file), { folder: reading.folder, root: reading.folder }, t, mostFileBytes);
	const { content, error, getLine } = readPlainYaml(text);
	if (error) {
		throw new ImportFault(translateMessage(error.message, t), error.line);
	}
	return importPromptfoo({ value: content, place: new ForeignPlace({ file, getLine }) }, target, reading);
}
