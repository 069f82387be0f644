import path from 'node:path';
import { createFileAtomically } from '#base/files/createFile.ts';
import { replaceNamedFile } from '#base/files/replaceFile.ts';
import { describeWriteFailure } from '#base/files/writeFailure.ts';
import { fillPlaceholders as t } from '#base/text/fillPlaceholders.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import { RunFileValueError } from '#base/text/textFaults.ts';
import type { ImportedSuite } from '#suites/exchange/importedSuite.ts';
import { importFile } from '#suites/exchange/importFile.ts';
import { ImportFault, type NotMapped } from '#suites/exchange/importReading.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { CliFault, type ExitCode, exitCodes } from '../cliFault.ts';
import { colorText, toJsonLine, toPlainLine, writeOutput } from '../output.ts';

/** `agent-workbench import`: makes a suite from the file of another tool, and lists what it doesn't have. */
export async function runImport(given: GivenArguments): Promise<ExitCode> {
	const file = path.resolve(given.operands[0]!);
	const target = getSuiteFile(file, given);
	const rows = target.replace(/\.suite\.json$/, '.rows.jsonl');
	const options = {
		agent: given.getValue('agent'),
		output: given.getValue('output') ?? 'text',
		model: given.getValue('model'),
		rowsFile: path.basename(rows),
	};
	const imported = await importFile(file, options, t).catch((error: unknown) => {
		throw createImportFault(file, error);
	});
	if (imported.rows) {
		if (rows === file) {
			throw new CliFault(`--out ${path.relative('', target)}: the rows would overwrite the imported file. Choose another name.`);
		}
		await writeNewFile(rows, imported.rows.map(row => `${JSON.stringify(row)}\n`).join(''), given.has('overwrite'));
	}
	await writeNewFile(target, `${JSON.stringify(imported.suite, undefined, '\t')}\n`, given.has('overwrite'));
	for (const each of imported.notMapped) {
		await writeOutput(formatNotMapped(each, given.has('json')));
	}
	await writeOutput(formatEnd(target, imported, given.has('json')));
	return given.has('strict') && imported.notMappedCount > 0 ? exitCodes.checkFailed : exitCodes.passed;
}

/** Returns the file to write: `--out`, or a suite with the name of the imported file, next to it. */
function getSuiteFile(file: string, given: GivenArguments): string {
	const out = given.getValue('out') ?? path.join(path.dirname(file), `${path.basename(file).replace(/\.[^.]*$/, '')}.suite.json`);
	if (!out.endsWith('.suite.json')) {
		throw new CliFault(`--out ${out}: expected a name that ends in .suite.json.`);
	}
	return path.resolve(out);
}

/** Writes a file, which must not exist unless it may be overwritten. Rejects with a {@link CliFault}. */
export async function writeNewFile(target: string, text: string, overwrite: boolean): Promise<void> {
	try {
		if (overwrite) {
			await replaceNamedFile(target, text);
			return;
		}
		if (await createFileAtomically(target, text, 0o666, 0o777)) {
			return;
		}
	} catch (error) {
		throw new CliFault(`${path.relative('', target)}: couldn't write the file: ${describeWriteFailure(error)}.`);
	}
	throw new CliFault(`${path.relative('', target)}: the file exists. Use --out FILE for another one, or --overwrite.`);
}

function formatNotMapped({ file, line, path: place, message }: NotMapped, json: boolean): string {
	if (json) {
		return toJsonLine({ file, line, path: place, message });
	}
	const text = place === '' ? message : `${place}: ${message}`;
	return `${toPlainLine(`${path.relative('', file)}:${line}`)}: ${colorText('doubtful', 'not mapped')}: ${toPlainLine(text)}\n`;
}

function formatEnd(target: string, { cases, notMapped, notMappedCount }: ImportedSuite, json: boolean): string {
	if (json) {
		return toJsonLine({ suite: target, cases, notMapped: notMappedCount });
	}
	const rest = notMappedCount - notMapped.length;
	const more = rest > 0 ? `${formatQuantity(rest, 'more part')} not mapped.\n` : '';
	return `${more}${toPlainLine(path.relative('', target))}: ${formatQuantity(cases, 'test case')}, ${formatQuantity(notMappedCount, 'part')} not mapped\n`;
}

function createImportFault(file: string, error: unknown): unknown {
	if (error instanceof ImportFault) {
		return new CliFault(`${path.relative('', file)}:${error.line}: ${error.message}`);
	}
	return error instanceof RunFileValueError ? new CliFault(error.message) : error;
}
