import path from 'node:path';
import { getErrorMessage } from '#base/problems.ts';
import type { KeptResults, LiveBatch, ResultsState } from '#pages/results/resultsMessages.ts';
import { hasJudges } from '#suites/judges/hasJudges.ts';
import type { Change } from '#suites/results/comparison.ts';
import type { Suite } from '#suites/suite.ts';
import type { WindowBatch } from '../batches/batch.ts';
import { formatBatchUsage, formatCancellation } from '../explorer/resultText.ts';
import { type BatchEnds, type BatchHeads, describeBatch } from './batchHeads.ts';
import type { ShownBatch } from './shownBatch.ts';

interface StateParts {
	readonly shown: ShownBatch | undefined;
	readonly batch: WindowBatch | undefined;
	readonly kept: KeptResults;
	readonly heads: BatchHeads;
	/** Result files of the suite, newest first. */
	readonly files: readonly string[];
	readonly isRunning: (file: string) => boolean;
	readonly baseline: string | undefined;
	/** True while the baseline is being read. */
	readonly comparing: boolean;
	readonly problem: string | undefined;
	/** True if all cases of the suite ran in the shown batch. */
	readonly isWhole: boolean;
	/** Facts about the suite. */
	readonly features: Pick<ResultsState, 'hasVariants' | 'hasJudges'>;
	/** Returns the fingerprint of the current suite. */
	readonly getFingerprint: () => Promise<string | undefined>;
}

/** Returns whether a suite has variants and judges. */
export function getSuiteFeatures(suite: Suite | undefined): StateParts['features'] {
	return { hasVariants: suite?.matrix !== undefined, hasJudges: suite !== undefined && hasJudges(suite) };
}

/** Computes the state of a results page. */
export async function createResultsState(parts: StateParts): Promise<ResultsState> {
	const { shown, batch, kept, heads, files, isRunning: running, baseline, problem } = parts;
	const ends = await heads.readBatches(files);
	const entries = shown?.entries ?? [];
	const matrix = await shown?.summarizeVariants();
	const isLive = batch !== undefined && !batch.isOver;
	const ended = isLive ? undefined : formatEnd(shown, batch);
	const wrong = problem ?? (batch?.error === undefined ? undefined : getErrorMessage(batch.error));
	return {
		view: kept.view,
		listing: kept.listing,
		generation: shown?.generation ?? 0,
		count: shown?.count ?? 0,
		results: entries.length,
		...countOutcomes(entries, shown?.baseline !== undefined),
		batches: ends.map(each => describeBatch(each, running(each.file), baseline)),
		...(shown && { batch: path.basename(shown.file) }),
		...(isLive && { live: toLiveBatch(batch, entries.length) }),
		reading: !isLive && (parts.comparing || shown?.isWhole === false),
		...(ended !== undefined && { ended }),
		...(matrix && { matrix }),
		...parts.features,
		resumable: !isLive && (await isBatchResumable(ends, parts)),
		isWhole: parts.isWhole && !isLive,
		...(wrong !== undefined && { problem: wrong }),
	};
}

function countOutcomes(entries: ShownBatch['entries'], compared: boolean) {
	const counts = { passed: 0, failed: 0, notRun: 0 };
	const changes: Partial<Record<Change, number>> = {};
	for (const { outcome, change = 'new' } of entries) {
		counts[outcome === 'not-run' ? 'notRun' : outcome]++;
		changes[change] = (changes[change] ?? 0) + 1;
	}
	return { ...counts, ...(compared && { changes }) };
}

function toLiveBatch(batch: WindowBatch, done: number): LiveBatch {
	const { total, secondsLeft, waiting } = batch.progress;
	return {
		...(total !== undefined && { total }),
		done,
		...(secondsLeft !== undefined && { secondsLeft }),
		...(waiting && waiting.until > Date.now() && { waiting: waiting.why }),
		stopping: batch.isStopping,
	};
}

function formatEnd(shown: ShownBatch | undefined, batch: WindowBatch | undefined): string | undefined {
	const summary = batch?.summary ?? shown?.summary;
	const words = [...(summary ? [formatBatchUsage(summary)] : []), ...(batch?.cancelled ? [formatCancellation(batch.cancelled)] : [])];
	return words.length > 0 ? words.join('. ') : undefined;
}

/** True if an interrupted batch can be resumed, which requires that the suite hasn't changed. */
async function isBatchResumable(
	ends: readonly BatchEnds[],
	{ shown, isRunning: running, getFingerprint: fingerprint }: StateParts,
): Promise<boolean> {
	const found = shown && ends.find(({ file }) => file === shown.file);
	return found !== undefined && !found.summary && !running(found.file) && found.head.fingerprint === (await fingerprint());
}
