import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import { exportFormats, exportSuite, type SuiteFormat } from '#suites/exchange/exporting/exportSuite.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { CliFault, type ExitCode, exitCodes } from '../cliFault.ts';
import { getFileRoot } from '../fileRoot.ts';
import { colorText, printLine, toPlainLine, writeOutput } from '../output.ts';
import { readNamedText } from '../readFailure.ts';
import { formatFaultLine } from '../reports/faultLine.ts';
import { writeNewFile } from './importSuite.ts';

/** `agent-workbench export`: writes a suite as the file of another tool, and lists what it doesn't have. Rejects with a `CliFault`. */
export async function runExport(given: GivenArguments): Promise<ExitCode> {
	const file = path.resolve(given.operands[0]!);
	const format = exportFormats.find(each => each === (given.getValue('format') ?? exportFormats[0]));
	if (!format) {
		throw new CliFault(`--format ${given.getValue('format')}: expected one of ${exportFormats.join(', ')}.`);
	}
	const text = readNamedText(file);
	const context = { connection: 'export', agents: undefined, root: getFileRoot(file), t: fillPlaceholders };
	const { suite, faults } = await readSuite(text, file, context);
	for (const fault of faults) {
		printLine(formatFaultLine(fault));
	}
	if (!suite) {
		return exitCodes.fault;
	}
	const output = given.getValue('output') ?? (suite.target?.kind === 'chat' ? 'text' : 'answer');
	const exported = await exportSuite(suite, format, output).catch((error: unknown) => {
		throw (error as Error).name === 'DatasetError' ? new CliFault(`${path.relative('', file)}: ${(error as Error).message}`) : error;
	});
	const target = path.resolve(given.getValue('out') ?? file.replace(/(\.suite)?\.json$/, endings[format]));
	await writeNewFile(target, exported.text, given.has('overwrite'));
	for (const { place, message } of exported.notExported) {
		const at = toPlainLine(`${path.relative('', place.file)}:${place.line}`);
		await writeOutput(`${at}: ${colorText('doubtful', 'not exported')}: ${toPlainLine(message)}\n`);
	}
	const { cases, notExported } = exported;
	await writeOutput(
		`${toPlainLine(path.relative('', target))}: ${formatQuantity(cases, 'test case')}, ${formatQuantity(notExported.length, 'part')} not exported\n`,
	);
	return given.has('strict') && notExported.length > 0 ? exitCodes.checkFailed : exitCodes.passed;
}

const endings: Readonly<Record<SuiteFormat, string>> = {
	promptfoo: '.promptfoo.yaml',
	inspect: '.inspect.json',
	jsonl: '.export.jsonl',
};
