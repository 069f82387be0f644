import { replaceNamedFile } from '#base/files/replaceFile.ts';
import { formatCsvLine } from '#base/text/csv.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import { runConcurrently } from '#base/timing/runConcurrently.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import { parseOutputs } from '#runs/following/detailPoll.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { getGivenInputs } from './runPreviews.ts';

/** Maximum length of a cell. Spreadsheets cut text after 32,767 characters. */
const longestCell = 32_000;
/** Number of runs whose values are fetched concurrently. They are written in order. */
const atOnce = 8;

interface ExportOutcome {
	readonly written: number;
	/** Number of runs whose inputs and outputs couldn't be read. */
	readonly withoutValues: number;
}

/**
 * Writes runs with inputs and outputs to a CSV file, in UTF-8 with a byte order mark for spreadsheets. Rejects with errors of the file
 * system and the signal's reason; the file is unchanged then.
 */
export async function exportLogs(
	file: string,
	entries: readonly LogEntry[],
	read: (entry: LogEntry) => Promise<WorkflowRunDetail>,
	{ signal, progress }: { readonly signal: AbortSignal; readonly progress: (written: number) => void },
): Promise<ExportOutcome> {
	let written = 0;
	let withoutValues = 0;
	await replaceNamedFile(file, async handle => {
		await handle.appendFile(
			`\uFEFF${formatCsvLine(['time', 'status', 'agent', 'user', 'seconds', 'tokens', 'run', 'error', 'inputs', 'outputs'])}`,
		);
		for (let at = 0; at < entries.length; at += atOnce) {
			const some = entries.slice(at, at + atOnce);
			const details = new Map<string, WorkflowRunDetail>();
			await runConcurrently(some, atOnce, signal, async entry => {
				await read(entry).then(
					detail => details.set(entry.id, detail),
					() => withoutValues++,
				);
			});
			signal.throwIfAborted();
			// on a full disk, a plain write may write only a part without an error
			await handle.appendFile(some.map(entry => toCsvLine(entry, details.get(entry.id))).join(''));
			written += some.length;
			progress(written);
		}
	});
	return { written, withoutValues };
}

function toCsvLine(
	{ createdAt, status, agent, user, elapsedSeconds, tokens, runId, error }: LogEntry,
	detail: WorkflowRunDetail | undefined,
) {
	return formatCsvLine([
		createdAt === undefined ? '' : new Date(createdAt).toISOString(),
		status,
		agent,
		user,
		elapsedSeconds,
		tokens,
		runId,
		detail?.error ?? error,
		detail ? formatCell(getGivenInputs(detail)) : '',
		detail ? formatCell(parseOutputs(detail)) : '',
	]);
}

function formatCell(values: Readonly<Record<string, unknown>> | null): string {
	return values ? cutToLimit(JSON.stringify(values), longestCell) : '';
}
