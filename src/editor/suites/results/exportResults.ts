import { open } from 'node:fs/promises';
import { csvLine } from '#base/text/csv.ts';
import { beginningOf, cutText } from '#base/text/cutText.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { formatRunCost } from './resultViews.ts';

/** What results are written as. */
export type ExportFormat = 'csv' | 'jsonl' | 'md';

/** Characters of a cell: spreadsheets cut what is longer than 32,767; of one of a Markdown table, which people read. */
const longestCell = 32_000;
const longestMarkdown = 200;
/** Results that are written at a time. */
const atOnce = 200;

/** Writes results to a file as they are read. Rejects with the error of the file. */
export async function exportResults(
	file: string,
	format: ExportFormat,
	results: AsyncIterable<CaseResult>,
	{ signal, progress }: { readonly signal: AbortSignal; readonly progress: (written: number) => void },
): Promise<number> {
	const { head, line } = writers[format];
	const handle = await open(file, 'w');
	let written = 0;
	try {
		let text = head;
		for await (const result of results) {
			if (signal.aborted) {
				break;
			}
			text += line(result);
			written++;
			if (written % atOnce === 0) {
				// a plain write may take a part on a disk that gets full, and say nothing
				await handle.appendFile(text);
				text = '';
				progress(written);
			}
		}
		await handle.appendFile(text);
	} finally {
		await handle.close();
	}
	return written;
}

const columns = ['case', 'row', 'outcome', 'score', 'seconds', 'tokens', 'cost', 'currency', 'failed checks', 'inputs', 'outputs', 'run'];

/** CSV in UTF-8, with the mark by which spreadsheets know it; JSONL with all that is known; Markdown as a table. */
const writers: Readonly<Record<ExportFormat, { readonly head: string; readonly line: (result: CaseResult) => string }>> = {
	csv: {
		head: `\uFEFF${csvLine(columns)}`,
		line: result => {
			const { name, row, outcome, score, seconds, run, inputs, outputs } = result;
			return csvLine([
				name,
				row ?? '',
				outcome,
				score,
				run?.seconds ?? seconds,
				run?.tokens ?? 0,
				run?.cost ?? '',
				run?.currency ?? '',
				formatFailures(result),
				beginningOf(JSON.stringify(inputs), longestCell),
				beginningOf(JSON.stringify(outputs), longestCell),
				run?.id ?? '',
			]);
		},
	},
	jsonl: { head: '', line: result => `${JSON.stringify(result)}\n` },
	md: {
		head: '| case | outcome | seconds | tokens | cost | why |\n|---|---|--:|--:|--:|---|\n',
		line: result => {
			const { name, outcome, seconds, run } = result;
			const cells = [name, outcome, String(run?.seconds ?? seconds), String(run?.tokens ?? 0), formatRunCost(run), formatFailures(result)];
			return `| ${cells.map(formatMarkdownCell).join(' | ')} |\n`;
		},
	},
};

function formatFailures({ fault, checks }: CaseResult): string {
	return fault ?? checks.flatMap(check => (check.passed ? [] : [check.message ?? check.name])).join('; ');
}

/** A text as one cell of a table: nothing in it is Markdown or HTML. */
function formatMarkdownCell(text: string): string {
	return cutText(text.replaceAll(/\s+/g, ' '), longestMarkdown).replaceAll(/[\\`*_{}[\]<>()#|~&!]/g, '\\$&');
}
