import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { getRowOrdinal } from '../datasets/datasetCases.ts';
import { DatasetError } from '../datasets/datasetRow.ts';
import { readDatasetRows } from '../datasets/datasetRows.ts';
import type { CaseResult } from '../results/caseResult.ts';
import type { ResultJournal } from '../results/resultJournal.ts';
import type { ResultSum } from '../results/resultSum.ts';
import type { SnapshotBook } from '../results/snapshots.ts';
import type { BatchLimits, Suite, SuiteFault } from '../suite.ts';
import { getVariantOrdinal } from '../variants/compareVariants.ts';
import type { PreparedVariant } from '../variants/prepareVariants.ts';
import { RunCancelled } from './agentRun.ts';
import type { CaseRunner, RanCase, ReadyCase } from './caseRunner.ts';
import { CaseFault, type CaseMaker, type CaseWork } from './caseWork.ts';
import { EventQueue } from './eventQueue.ts';
import type { SuiteEvent } from './suiteEvents.ts';
import { SuiteRunError } from './suiteRunError.ts';

export interface BatchParts {
	readonly suite: Suite;
	readonly journal: ResultJournal;
	readonly cases: CaseMaker;
	readonly runner: Pick<CaseRunner, 'prepareCase' | 'runCase' | 'checkRuns'>;
	readonly snapshots: SnapshotBook;
	/** Maximum number of concurrent cases. */
	readonly concurrency: number;
	/** Returns a hash of each agent's current state, by name. */
	readonly hashAgents: () => Promise<ReadonlyMap<string, string>>;
	/** Returns true if a case should run. */
	readonly isWanted: (each: { readonly ordinal: number; readonly name: string; readonly row?: number }) => boolean;
	/** Results of the interrupted batch. */
	readonly earlier: { readonly sum: ResultSum; readonly has: (ordinal: number) => boolean };
	readonly bail: boolean;
	/** Variants to run each case with. */
	readonly variants: readonly PreparedVariant[] | undefined;
	readonly signal: AbortSignal;
}

/** Waits until pending requests are sent, so that preparing and checking cases doesn't delay runs. */
const yieldToRequests = () => new Promise<void>(resolve => void setImmediate(resolve));

/** Maximum number of unread events, and of results that aren't recorded yet. */
const mostWaiting = 64;

/** Runs the cases of a batch concurrently, writes their results to the file and reports them. */
export class Batch {
	readonly events = new EventQueue<SuiteEvent>(mostWaiting);
	readonly #parts: BatchParts;
	readonly #sum: ResultSum;
	readonly #running = new Set<Promise<void>>();
	/** Finished runs that are being checked, while the next cases run. */
	readonly #checking = new Set<Promise<void>>();
	/** Results being written and reported, which don't count as running cases. */
	readonly #telling = new Set<Promise<void>>();
	readonly #started = performance.now();
	#bailed = false;
	/** Number of consecutive cases that couldn't reach the service. */
	#unreached = 0;
	#lost: string | undefined;
	#stopped = 0;
	#notStopped = 0;
	#failed: { readonly error: unknown } | undefined;

	constructor(parts: BatchParts) {
		this.#parts = parts;
		this.#sum = parts.earlier.sum;
	}

	/** Runs the batch. Rejects if results can't be written, or with a {@link SuiteRunError} if an agent changes meanwhile. */
	async run(): Promise<void> {
		const { suite, signal, journal, snapshots, variants, hashAgents } = this.#parts;
		try {
			const agents = await hashAgents();
			await this.events.push({ type: 'started', cases: suite.cases.length * (variants?.length ?? 1), takenUp: this.#sum.takenUp });
			for await (const work of this.#createCases()) {
				await this.#startCase(work);
				if (this.#isOver) {
					break;
				}
			}
			await this.#waitForAllWork();
			if (this.#failed) {
				throw this.#failed.error;
			}
			if (!signal.aborted) {
				requireSameAgents(agents, await hashAgents());
			}
			await snapshots.saveAccepted();
			const summary = this.#sum.createSummary((performance.now() - this.#started) / 1000);
			const isPartial = signal.aborted || this.#lost !== undefined || this.#bailed;
			if (!isPartial) {
				await journal.writeSummary(summary);
			}
			await this.events.push({
				type: 'finished',
				summary,
				...(signal.aborted ? { cancelled: { stopped: this.#stopped, notStopped: this.#notStopped } } : {}),
				...(this.#lost === undefined ? {} : { unreached: this.#lost }),
				...(isPartial && { isPartial }),
			});
		} finally {
			await this.#waitForAllWork();
			this.events.endQueue();
		}
	}

	get #isOver(): boolean {
		return this.#bailed || this.#lost !== undefined || this.#failed !== undefined || this.#parts.signal.aborted;
	}

	/** Creates the cases to run on demand. */
	async *#createCases(): AsyncGenerator<CaseWork, void> {
		const { suite, cases } = this.#parts;
		for (const each of suite.cases) {
			if (this.#parts.isWanted(each)) {
				yield* this.#createVariants(cases.createCaseWork(each));
			}
		}
		const { dataset } = suite;
		if (!dataset) {
			return;
		}
		let isEmpty = true;
		try {
			for await (const row of readDatasetRows(dataset, fillPlaceholders)) {
				isEmpty = false;
				if ('problem' in row) {
					await this.#reportFault(row.line, `Row ${row.row}: ${row.problem}`);
					continue;
				}
				const nth = cases.getNameOrdinal(row);
				if (this.#parts.variants || !this.#parts.earlier.has(getRowOrdinal(suite, row.row))) {
					yield* this.#createRowWork(row, nth);
				}
			}
		} catch (error) {
			if (!(error instanceof DatasetError)) {
				throw error;
			}
			isEmpty = false;
			await this.#reportFault(error.line, error.message);
		}
		if (isEmpty) {
			await this.#reportFault(1, 'The dataset has no rows.');
		}
	}

	*#createRowWork(...row: Parameters<CaseMaker['createRowWork']>): Generator<CaseWork, void> {
		try {
			const work = this.#parts.cases.createRowWork(...row);
			if (this.#parts.isWanted(work)) {
				yield* this.#createVariants(work);
			}
		} catch (error) {
			if (!(error instanceof CaseFault)) {
				throw error;
			}
			const [{ line, row: number }] = row;
			void this.#reportFault(line, `Row ${number}: ${error.message}`);
		}
	}

	/** Creates a case for each variant that has no result yet. All variants of a case run in a row, so that they meet the same conditions. */
	*#createVariants(work: CaseWork): Generator<CaseWork, void> {
		const { variants, earlier } = this.#parts;
		const all = variants
			? variants.map(({ name: variant, ...own }, at) => ({
					...work,
					...own,
					variant,
					ordinal: getVariantOrdinal(work.ordinal, at, variants),
				}))
			: [work];
		yield* all.filter(({ ordinal }) => !earlier.has(ordinal));
	}

	/** Starts a case when the limits of the batch allow it. */
	async #startCase(work: CaseWork): Promise<void> {
		const { concurrency, runner } = this.#parts;
		const ready = runner.prepareCase(work);
		while (this.#running.size >= concurrency) {
			await Promise.race(this.#running);
		}
		while (this.#checking.size > concurrency) {
			await Promise.race(this.#checking);
		}
		while (this.#telling.size >= mostWaiting) {
			await Promise.race(this.#telling);
		}
		if (this.#isOver) {
			return;
		}
		const used = this.#findUsedUpLimit();
		const { ordinal, name, row } = work;
		const room = this.events.push({ type: 'case', ordinal, name, ...(row === undefined ? {} : { row }) });
		this.#trackWork(this.#running, this.#runCase(used === undefined ? ready : refuseCase(work, used)));
		await Promise.all([room, yieldToRequests()]);
	}

	/** Returns the limit of the suite that is used up, if any. */
	#findUsedUpLimit(): keyof BatchLimits | undefined {
		const { limits = {} } = this.#parts.suite;
		const used = { ...this.#sum.used, seconds: (performance.now() - this.#started) / 1000 };
		return (['cost', 'tokens', 'seconds'] as const).find(name => used[name] >= (limits[name] ?? Number.POSITIVE_INFINITY));
	}

	/** Tracks work until it's finished. An error ends the batch. */
	#trackWork(among: Set<Promise<void>>, work: Promise<void>): Promise<void> {
		const kept = work
			.catch((error: unknown) => {
				this.#failed ??= { error };
			})
			.finally(() => among.delete(kept));
		among.add(kept);
		return kept;
	}

	/** Waits until all cases are finished and recorded. */
	async #waitForAllWork(): Promise<void> {
		await Promise.all(this.#running);
		await Promise.all(this.#checking);
		this.#parts.journal.flushLines();
		await Promise.all(this.#telling);
	}

	async #runCase(ready: ReadyCase): Promise<void> {
		let ran: RanCase;
		try {
			ran = await this.#parts.runner.runCase(ready);
		} catch (error) {
			if (error instanceof RunCancelled) {
				this.#stopped += Number(error.stopped);
				this.#notStopped += Number(!error.stopped);
			} else {
				this.#rethrowUnlessAborted(error);
			}
			return;
		}
		const checked = this.#trackWork(this.#checking, this.#checkCase(ran));
		// the next case may start only if this one passes, or leaves something of the limits
		if (this.#parts.bail || this.#parts.suite.limits) {
			await checked;
		}
	}

	async #checkCase(ran: RanCase): Promise<void> {
		await yieldToRequests();
		let result: CaseResult;
		try {
			result = await this.#parts.runner.checkRuns(ran);
		} catch (error) {
			this.#rethrowUnlessAborted(error);
			return;
		}
		this.#unreached = result.unreached ? this.#unreached + 1 : 0;
		if (this.#unreached > this.#parts.concurrency) {
			this.#lost ??= result.fault;
		}
		this.#bailed ||= this.#parts.bail && result.outcome !== 'passed';
		this.#trackWork(this.#telling, this.#recordResult(result));
	}

	/** Throws the error unless the batch was canceled. Canceled cases have no result. */
	#rethrowUnlessAborted(error: unknown): void {
		if (!this.#parts.signal.aborted) {
			throw error;
		}
	}

	async #recordResult(result: CaseResult): Promise<void> {
		this.#sum.add(result);
		await this.#parts.journal.appendResult(result);
		await this.events.push({ type: 'result', result });
	}

	async #reportFault(line: number, message: string): Promise<void> {
		this.#sum.faults++;
		const file = this.#parts.suite.dataset!.file;
		const fault: SuiteFault = { code: 'dataset', severity: 'error', path: [], offset: 0, length: 0, file, line, column: 1, message };
		await this.events.push({ type: 'fault', fault });
	}
}

/** A case that isn't run because a limit is used up. */
function refuseCase(work: CaseWork, limit: keyof BatchLimits): ReadyCase {
	const request = Promise.reject(new CaseFault(`The case didn't start, because 'limits.${limit}' of the suite is used up.`));
	request.catch(() => undefined);
	return { work, request };
}

/** Throws if an agent was edited during the batch: its results are of several versions, and of none. */
function requireSameAgents(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): void {
	const changed = [...before.keys()].filter(name => now.get(name) !== before.get(name));
	if (changed.length > 0) {
		throw new SuiteRunError(
			'changed',
			`The results are of different versions, because agents changed while the suite ran: ${changed.join(', ')}. Run the suite again.`,
		);
	}
}
