import fs from 'node:fs/promises';
import { csvLine } from '#base/text/csv.ts';
import { beginningOf } from '#base/text/cutText.ts';
import { inTurns } from '#base/timing/inTurns.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import { outputsOf } from '#runs/following/detailPoll.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { givenOf } from './runPreviews.ts';

/** Characters of a cell: spreadsheets cut what is longer than 32,767. */
const longestCell = 32_000;
/** Runs whose values are asked for at a time: they are written in their order. */
const atOnce = 8;

/** How an export went. */
interface ExportOutcome {
	readonly written: number;
	/** Runs whose inputs and outputs could not be read. */
	readonly withoutValues: number;
}

/** Writes runs to a file as CSV, with what went in and came out: in UTF-8, with the mark by which spreadsheets know it. Rejects with the error of the file. */
export async function exportLogs(
	file: string,
	entries: readonly LogEntry[],
	read: (entry: LogEntry) => Promise<WorkflowRunDetail>,
	{ signal, progress }: { readonly signal: AbortSignal; readonly progress: (written: number) => void },
): Promise<ExportOutcome> {
	const handle = await fs.open(file, 'w');
	let written = 0;
	let withoutValues = 0;
	try {
		await handle.appendFile(
			`\uFEFF${csvLine(['time', 'status', 'agent', 'user', 'seconds', 'tokens', 'run', 'error', 'inputs', 'outputs'])}`,
		);
		for (let at = 0; at < entries.length && !signal.aborted; at += atOnce) {
			const some = entries.slice(at, at + atOnce);
			const details = new Map<string, WorkflowRunDetail>();
			await inTurns(some, atOnce, signal, async entry => {
				await read(entry).then(
					detail => details.set(entry.id, detail),
					() => withoutValues++,
				);
			});
			// a plain write may take a part on a disk that gets full, and say nothing
			await handle.appendFile(some.map(entry => lineOf(entry, details.get(entry.id))).join(''));
			written += some.length;
			progress(written);
		}
	} finally {
		await handle.close();
	}
	return { written, withoutValues };
}

function lineOf({ createdAt, status, agent, user, elapsedSeconds, tokens, runId, error }: LogEntry, detail: WorkflowRunDetail | undefined) {
	return csvLine([
		createdAt === undefined ? '' : new Date(createdAt).toISOString(),
		status,
		agent,
		user,
		elapsedSeconds,
		tokens,
		runId,
		detail?.error ?? error,
		detail ? cellOf(givenOf(detail)) : '',
		detail ? cellOf(outputsOf(detail)) : '',
	]);
}

function cellOf(values: Readonly<Record<string, unknown>> | null): string {
	return values ? beginningOf(JSON.stringify(values), longestCell) : '';
}
