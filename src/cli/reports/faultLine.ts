import path from 'node:path';
import type { SuiteFault } from '#suites/suite.ts';
import { colorText, toPlainLine } from '../output.ts';

/** Formats a problem of a suite, run file or dataset like a compiler error, so that editors and terminals link it. */
export function formatFaultLine({ file, line, column, severity, message }: SuiteFault): string {
	const place = `${path.relative('', file)}:${line}:${column}`;
	return `${toPlainLine(place)}: ${colorText(severity === 'error' ? 'bad' : 'doubtful', severity)}: ${toPlainLine(message)}`;
}
