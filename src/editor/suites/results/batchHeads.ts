import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { tryParseJson } from '#base/text/json.ts';
import type { KeptBatchHead } from '#pages/results/resultsMessages.ts';
import type { SuiteSummary } from '#suites/results/caseResult.ts';
import type { ResultHead } from '#suites/results/resultFile.ts';
import { formatNumber } from '../../platform/format.ts';
import { formatTimestamp } from '../../platform/wording.ts';

/** Maximum number of bytes to read for the first and for the last line. */
const longestLine = 64 * 1024;

/** The first and the last line of a result file, which are read without the lines between them. */
export interface BatchEnds {
	readonly file: string;
	readonly head: ResultHead;
	/** Absent if the batch was interrupted or is still running. */
	readonly summary: SuiteSummary | undefined;
}

/** Reads heads and summaries of result files, and caches them until a file changes. */
export class BatchHeads {
	#known = new Map<string, { readonly stamp: string; readonly ends: BatchEnds | undefined }>();

	/** Reads these files in order. Skips files that aren't result files. */
	async readBatches(files: readonly string[]): Promise<BatchEnds[]> {
		const read = await Promise.all(files.map(async file => [file, await this.#readCachedEnds(file)] as const));
		this.#known = new Map(read);
		return read.flatMap(([, { ends }]) => ends ?? []);
	}

	async #readCachedEnds(file: string) {
		const found = await stat(file).catch(() => undefined);
		const stamp = found ? `${found.mtimeMs} ${found.size}` : '';
		const known = this.#known.get(file);
		return known?.stamp === stamp ? known : { stamp, ends: found && (await readBatchEnds(file)) };
	}
}

/** Reads the head and the summary of a result file. Returns `undefined` for other files. */
async function readBatchEnds(file: string): Promise<BatchEnds | undefined> {
	const handle = await open(file).catch(() => undefined);
	if (!handle) {
		return undefined;
	}
	try {
		const { size } = await handle.stat();
		const first = (await readText(handle, 0, Math.min(size, longestLine))).split('\n', 1)[0] ?? '';
		const from = Math.max(0, size - longestLine);
		const last = (await readText(handle, from, size - from)).trimEnd().split('\n').at(-1) ?? '';
		const { head } = parseFields(first) as { head?: ResultHead };
		const { summary } = parseFields(last) as { summary?: SuiteSummary };
		return head && { file, head, summary };
	} finally {
		await handle.close();
	}
}

/** Describes a batch for the list of stored batches. */
export function describeBatch({ file, head, summary }: BatchEnds, isLive: boolean, baseline: string | undefined): KeptBatchHead {
	const how = summary
		? vscode.l10n.t('{0} of {1} passed', formatNumber(summary.passed), formatNumber(summary.cases))
		: isLive
			? vscode.l10n.t('running')
			: vscode.l10n.t('interrupted');
	const isBaseline = file === baseline;
	const text = [formatTimestamp(head.startedAt), how, head.connection, ...(isBaseline ? [vscode.l10n.t('baseline')] : [])].join(' · ');
	return { id: path.basename(file), text, isBaseline };
}

async function readText(handle: FileHandle, from: number, length: number): Promise<string> {
	const bytes = Buffer.alloc(length);
	await handle.read(bytes, 0, length, from);
	return bytes.toString('utf8');
}

function parseFields(text: string): object {
	const value = tryParseJson(text);
	return typeof value === 'object' && value !== null ? value : {};
}
