/** A problem of a file, as the Problems view lists it. Line and column start at 1. */
export interface ListedProblem {
	readonly file: string;
	readonly line: number;
	readonly column: number;
	readonly severity: 'error' | 'warning' | 'info' | 'hint';
	readonly message: string;
	readonly source?: string | undefined;
	readonly code?: string | undefined;
}

/** Maximum number of problems in a list. */
const most = 200;
const severities: readonly ListedProblem['severity'][] = ['error', 'warning', 'info', 'hint'];

/** Formats problems for a model, one a line, errors first. Says how many more there are. */
export function formatProblems(problems: readonly ListedProblem[]): string {
	const sorted = problems.toSorted(
		(a, b) =>
			severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
			a.file.localeCompare(b.file) ||
			a.line - b.line ||
			a.column - b.column,
	);
	const lines = sorted.slice(0, most).map(({ file, line, column, severity, message, source, code }) => {
		const origin = [source, code].filter(Boolean).join(' ');
		return `${file}:${line}:${column} ${severity}: ${message
			.split(/\r?\n/)
			.map(part => part.trim())
			.join(' ')}${origin ? ` (${origin})` : ''}`;
	});
	return [...lines, ...(sorted.length > most ? [`… and ${sorted.length - most} more`] : [])].join('\n');
}
