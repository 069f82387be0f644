import { plainWords } from '#base/text/plainWords.ts';
import { rowOrdinal } from '../datasets/datasetCases.ts';
import { DatasetError } from '../datasets/datasetRow.ts';
import { datasetRows } from '../datasets/datasetRows.ts';
import type { CaseResult } from '../results/caseResult.ts';
import type { ResultJournal } from '../results/resultJournal.ts';
import type { ResultSum } from '../results/resultSum.ts';
import type { SnapshotBook } from '../results/snapshots.ts';
import type { Suite, SuiteFault } from '../suite.ts';
import { RunCancelled } from './agentRun.ts';
import type { CaseRunner, RanCase, ReadyCase } from './caseRunner.ts';
import { CaseFault, type CaseMaker, type CaseWork } from './caseWork.ts';
import { EventQueue } from './eventQueue.ts';
import type { SuiteEvent } from './suiteEvents.ts';

export interface BatchParts {
	readonly suite: Suite;
	readonly journal: ResultJournal;
	readonly cases: CaseMaker;
	readonly runner: CaseRunner;
	readonly snapshots: SnapshotBook;
	/** Maximum number of concurrent cases. */
	readonly concurrency: number;
	/** Returns true if a case should run. */
	readonly wanted: (each: { readonly ordinal: number; readonly name: string; readonly row?: number }) => boolean;
	/** Results of the interrupted batch. */
	readonly earlier: { readonly sum: ResultSum; readonly has: (ordinal: number) => boolean };
	readonly bail: boolean;
	readonly signal: AbortSignal;
}

/** Waits until pending requests are sent, so that preparing and checking cases doesn't delay runs. */
const soon = () => new Promise<void>(resolve => void setImmediate(resolve));

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
	/** Number of consecutive results without reaching the service. */
	#unreached = 0;
	#lost: string | undefined;
	#stopped = 0;
	#notStopped = 0;
	#failed: { readonly error: unknown } | undefined;

	constructor(parts: BatchParts) {
		this.#parts = parts;
		this.#sum = parts.earlier.sum;
	}

	/** Runs the batch. Rejects if results can't be written. */
	async run(): Promise<void> {
		const { suite, signal, journal, snapshots } = this.#parts;
		try {
			await this.events.push({ type: 'started', cases: suite.cases.length, takenUp: this.#sum.takenUp });
			for await (const work of this.#works()) {
				await this.#start(work);
				if (this.#over) {
					break;
				}
			}
			await this.#settled();
			if (this.#failed) {
				throw this.#failed.error;
			}
			await snapshots.save();
			const summary = this.#sum.summary((performance.now() - this.#started) / 1000);
			if (!signal.aborted && this.#lost === undefined && !this.#bailed) {
				await journal.end(summary);
			}
			await this.events.push({
				type: 'finished',
				summary,
				...(signal.aborted ? { cancelled: { stopped: this.#stopped, notStopped: this.#notStopped } } : {}),
				...(this.#lost === undefined ? {} : { unreached: this.#lost }),
			});
		} finally {
			await this.#settled();
			this.events.end();
		}
	}

	get #over(): boolean {
		return this.#bailed || this.#lost !== undefined || this.#failed !== undefined || this.#parts.signal.aborted;
	}

	/** Creates the cases to run on demand. */
	async *#works(): AsyncGenerator<CaseWork, void> {
		const { suite, cases } = this.#parts;
		for (const each of suite.cases) {
			if (this.#isWanted(each)) {
				yield cases.ofCase(each);
			}
		}
		const { dataset } = suite;
		if (!dataset) {
			return;
		}
		try {
			for await (const row of datasetRows(dataset, plainWords)) {
				if ('problem' in row) {
					await this.#fault(row.line, `Row ${row.row}: ${row.problem}`);
					continue;
				}
				const nth = cases.nthOf(row);
				if (!this.#parts.earlier.has(rowOrdinal(suite, row.row))) {
					yield* this.#rowWork(row, nth);
				}
			}
		} catch (error) {
			if (!(error instanceof DatasetError)) {
				throw error;
			}
			await this.#fault(error.line, error.message);
		}
	}

	*#rowWork(...row: Parameters<CaseMaker['ofRow']>): Generator<CaseWork, void> {
		try {
			const work = this.#parts.cases.ofRow(...row);
			if (this.#isWanted(work)) {
				yield work;
			}
		} catch (error) {
			if (!(error instanceof CaseFault)) {
				throw error;
			}
			const [{ line, row: number }] = row;
			void this.#fault(line, `Row ${number}: ${error.message}`);
		}
	}

	#isWanted(each: { readonly ordinal: number; readonly name: string; readonly row?: number }): boolean {
		return !this.#parts.earlier.has(each.ordinal) && this.#parts.wanted(each);
	}

	/** Starts a case when the limits of the batch allow it. */
	async #start(work: CaseWork): Promise<void> {
		const { concurrency, runner } = this.#parts;
		const ready = runner.ready(work);
		while (this.#running.size >= concurrency) {
			await Promise.race(this.#running);
		}
		while (this.#checking.size > concurrency) {
			await Promise.race(this.#checking);
		}
		while (this.#telling.size >= mostWaiting) {
			await Promise.race(this.#telling);
		}
		if (this.#over) {
			return;
		}
		const { ordinal, name, row } = work;
		const room = this.events.push({ type: 'case', ordinal, name, ...(row === undefined ? {} : { row }) });
		this.#keep(this.#running, this.#run(ready));
		await Promise.all([room, soon()]);
	}

	/** Tracks work until it's finished. An error ends the batch. */
	#keep(among: Set<Promise<void>>, work: Promise<void>): Promise<void> {
		const kept = work
			.catch((error: unknown) => {
				this.#failed ??= { error };
			})
			.finally(() => among.delete(kept));
		among.add(kept);
		return kept;
	}

	/** Waits until all cases are finished and recorded. */
	async #settled(): Promise<void> {
		await Promise.all(this.#running);
		await Promise.all(this.#checking);
		this.#parts.journal.flush();
		await Promise.all(this.#telling);
	}

	async #run(ready: ReadyCase): Promise<void> {
		let ran: RanCase;
		try {
			ran = await this.#parts.runner.run(ready);
		} catch (error) {
			if (error instanceof RunCancelled) {
				this.#stopped += Number(error.stopped);
				this.#notStopped += Number(!error.stopped);
			} else {
				this.#unlessOff(error);
			}
			return;
		}
		const checked = this.#keep(this.#checking, this.#check(ran));
		if (this.#parts.bail) {
			await checked;
		}
	}

	async #check(ran: RanCase): Promise<void> {
		await soon();
		let result: CaseResult;
		try {
			result = await this.#parts.runner.check(ran);
		} catch (error) {
			this.#unlessOff(error);
			return;
		}
		this.#unreached = result.unreached ? this.#unreached + 1 : 0;
		if (this.#unreached > this.#parts.concurrency) {
			this.#lost ??= result.fault;
		}
		this.#bailed ||= this.#parts.bail && result.outcome !== 'passed';
		this.#keep(this.#telling, this.#tell(result));
	}

	/** Throws the error unless the batch was canceled. Canceled cases have no result. */
	#unlessOff(error: unknown): void {
		if (!this.#parts.signal.aborted) {
			throw error;
		}
	}

	async #tell(result: CaseResult): Promise<void> {
		await this.#parts.journal.append(result);
		this.#sum.add(result);
		await this.events.push({ type: 'result', result });
	}

	async #fault(line: number, message: string): Promise<void> {
		this.#sum.faults++;
		const file = this.#parts.suite.dataset!.file;
		const fault: SuiteFault = { code: 'dataset', severity: 'error', path: [], offset: 0, length: 0, file, line, column: 1, message };
		await this.events.push({ type: 'fault', fault });
	}
}
