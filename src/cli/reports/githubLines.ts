import path from 'node:path';

/** A message for a position in a file, shown in a pull request. */
interface Annotation {
	readonly level: 'error' | 'warning';
	/** Absolute path. */
	readonly file: string;
	/** From 1; 0 if unknown. */
	readonly line: number;
	/** From 1. */
	readonly column?: number;
	readonly title: string;
	readonly message: string;
}

/**
 * An annotation as a workflow command of GitHub Actions, one line whatever its texts hold: a name from a file cannot begin a command of its
 * own.
 *
 * @param folder what the path is made relative to: the folder of the checkout
 */
export function githubLine({ level, file, line, column, title, message }: Annotation, folder = process.cwd()): string {
	const relative = path.relative(folder, file).replaceAll(path.sep, '/');
	const properties = [
		`file=${property(relative)}`,
		...(line > 0 ? [`line=${line}`] : []),
		...(line > 0 && column !== undefined ? [`col=${column}`] : []),
		`title=${property(title)}`,
	];
	return `::${level} ${properties.join(',')}::${escaped(message)}\n`;
}

function escaped(text: string): string {
	return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
	return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
