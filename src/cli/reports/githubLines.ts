import { formatRelativePath } from '#base/files/relativePath.ts';
import { toPlainLine } from '../output.ts';

/** A message for a position in a file, shown in a pull request. */
interface Annotation {
	readonly level: 'error' | 'warning';
	/** Absolute path. */
	readonly file: string;
	/** Starts at 1. 0 if unknown. */
	readonly line: number;
	/** Starts at 1. */
	readonly column?: number;
	readonly title: string;
	readonly message: string;
}

/**
 * Formats an annotation as a GitHub Actions workflow command. Escapes all text, so that it can't start another command.
 *
 * @param folder base of relative paths: the folder of the checkout
 */
export function formatGithubLine({ level, file, line, column, title, message }: Annotation, folder = process.cwd()): string {
	const properties = [
		`file=${escapeProperty(formatRelativePath(file, folder))}`,
		...(line > 0 ? [`line=${line}`] : []),
		...(line > 0 && column !== undefined ? [`col=${column}`] : []),
		`title=${escapeProperty(title)}`,
	];
	return `::${level} ${properties.join(',')}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
	return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
	return escapeData(toPlainLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
