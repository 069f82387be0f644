import path from 'node:path';
import type { SuiteFault } from '#suites/suite.ts';
import { plain, toned } from '../output.ts';

/** Formats a problem of a suite, run file or dataset like a compiler error, so that editors and terminals link it. */
export function faultLine({ file, line, column, severity, message }: SuiteFault): string {
	const place = `${path.relative('', file)}:${line}:${column}`;
	return `${plain(place)}: ${toned(severity === 'error' ? 'bad' : 'doubtful', severity)}: ${plain(message)}`;
}
