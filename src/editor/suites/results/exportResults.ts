import { replaceNamedFile } from '#base/files/replaceFile.ts';
import { formatCsvLine } from '#base/text/csv.ts';
import { cutText, cutToLimit } from '#base/text/cutText.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { formatRunCost } from './resultViews.ts';

export type ExportFormat = 'csv' | 'jsonl' | 'md';

/** Maximum length of a CSV cell (spreadsheets cut text after 32,767 characters) and of a cell of a Markdown table. */
const longestCell = 32_000;
const longestMarkdown = 200;
/** Number of results written in one batch. */
const atOnce = 200;

/**
 * Writes results to a file as they are read. Returns how many were written. Rejects with errors of the file system and the signal's reason;
 * the file is unchanged then.
 */
export async function exportResults(
	file: string,
	format: ExportFormat,
	results: AsyncIterable<CaseResult>,
	{ signal, progress }: { readonly signal: AbortSignal; readonly progress: (written: number) => void },
): Promise<number> {
	const { head, line } = writers[format];
	let written = 0;
	await replaceNamedFile(file, async handle => {
		let text = head;
		for await (const result of results) {
			signal.throwIfAborted();
			text += line(result);
			written++;
			if (written % atOnce === 0) {
				// on a full disk, `write` may write only a part without an error, but `appendFile` doesn't
				await handle.appendFile(text);
				text = '';
				progress(written);
			}
		}
		await handle.appendFile(text);
		signal.throwIfAborted();
	});
	return written;
}

const columns = [
	'case',
	'row',
	'variant',
	'outcome',
	'score',
	'seconds',
	'tokens',
	'cost',
	'currency',
	'failed checks',
	'inputs',
	'outputs',
	'run',
];

/** CSV is UTF-8 with a byte order mark for spreadsheets, JSONL contains complete results, and Markdown is a table. */
const writers: Readonly<Record<ExportFormat, { readonly head: string; readonly line: (result: CaseResult) => string }>> = {
	csv: {
		head: `\uFEFF${formatCsvLine(columns)}`,
		line: result => {
			const { name, row, variant, outcome, score, seconds, run, inputs, outputs } = result;
			return formatCsvLine([
				name,
				row ?? '',
				variant ?? '',
				outcome,
				score,
				run?.seconds ?? seconds,
				run?.tokens ?? 0,
				run?.cost ?? '',
				run?.currency ?? '',
				formatFailures(result),
				cutToLimit(JSON.stringify(inputs), longestCell),
				cutToLimit(JSON.stringify(outputs), longestCell),
				run?.id ?? '',
			]);
		},
	},
	jsonl: { head: '', line: result => `${JSON.stringify(result)}\n` },
	md: {
		head: '| case | outcome | seconds | tokens | cost | why |\n|---|---|--:|--:|--:|---|\n',
		line: result => {
			const { name, variant, outcome, seconds, run } = result;
			const title = variant === undefined ? name : `${name} [${variant}]`;
			const cells = [title, outcome, String(run?.seconds ?? seconds), String(run?.tokens ?? 0), formatRunCost(run), formatFailures(result)];
			return `| ${cells.map(formatMarkdownCell).join(' | ')} |\n`;
		},
	},
};

function formatFailures({ fault, checks }: CaseResult): string {
	return fault ?? checks.flatMap(check => (check.passed ? [] : [check.message ?? check.name])).join('; ');
}

/** Formats a string as one table cell. Escapes Markdown and HTML. */
function formatMarkdownCell(text: string): string {
	return cutText(text.replaceAll(/\s+/g, ' '), longestMarkdown).replaceAll(/[\\`*_{}[\]<>()#|~&!]/g, '\\$&');
}
